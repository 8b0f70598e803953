package io.weir.sql.plan;

import io.weir.operators.graph.LookupTable;
import org.apache.calcite.sql.SqlNode;

/**
 * A lookup table that FROM joins.
 *
 * @param alias by which its columns are qualified
 * @param isLeft whether rows without a match stay
 * @param on the condition
 * @param at its place
 */
record TableJoin(LookupTable table, String alias, boolean isLeft, SqlNode on, SqlNode at) {}
