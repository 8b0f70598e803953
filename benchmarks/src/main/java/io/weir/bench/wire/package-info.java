/** Live sources on one core: DPDK's frames, and datagrams of GPVs, to rows per source. */
package io.weir.bench.wire;
