/** Capture files through the decoder and the cache, and on to results. */
package io.weir.bench.capture;
