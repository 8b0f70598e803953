package io.weir.sql.plan;

import io.weir.operators.graph.Window;
import io.weir.sql.catalog.TimeColumn;

/** Windows over a stream, and the column with their times. */
record Windowing(Window window, TimeColumn time) {}
