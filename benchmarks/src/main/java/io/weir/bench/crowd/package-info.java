/** Many queries at once, through the embedded engine. */
package io.weir.bench.crowd;
