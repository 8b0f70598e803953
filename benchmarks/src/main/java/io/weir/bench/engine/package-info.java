/** Kernels over GPVs that are already in memory. */
package io.weir.bench.engine;
