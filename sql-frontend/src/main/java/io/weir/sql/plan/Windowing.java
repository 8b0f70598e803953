package io.weir.sql.plan;

import io.weir.operators.graph.Window;
import io.weir.sql.catalog.TimeColumn;

/** Windows over a stream, and the column whose times they are of. */
record Windowing(Window window, TimeColumn time) {}
