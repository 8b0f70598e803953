/**
 * Flink's side of {@code weir bench --peers}: DataStream jobs, one thread, objects used again, over
 * packets in memory. Knows nothing of Weir's own code.
 */
package io.weir.bench.flink;
