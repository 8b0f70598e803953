/** Queues between two threads: the ring of blocks beside others. */
package io.weir.bench.queue;
