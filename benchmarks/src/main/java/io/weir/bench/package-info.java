/**
 * Measures Weir beside native baselines, on the same bytes, in the same run, with checked results.
 */
package io.weir.bench;
