/** Traffic from a seed: as GPVs in memory, and as capture files of any size. */
package io.weir.bench.generate;
