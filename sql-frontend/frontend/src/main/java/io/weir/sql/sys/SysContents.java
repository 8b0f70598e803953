package io.weir.sql.sys;

import io.weir.operators.graph.Expr.Variable;
import java.util.List;

/** The content of a table of sys now: a Long or a text in each column. */
public record SysContents(List<Variable> columns, List<Object[]> rows) {}
