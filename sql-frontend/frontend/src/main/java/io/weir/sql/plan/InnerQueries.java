package io.weir.sql.plan;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Stream;
import java.util.List;
import org.apache.calcite.sql.SqlNode;

/** Plans the sub-queries of a FROM. */
interface InnerQueries {
    Query query(SqlNode node);

    /** Puts a query with other names of columns, by their places, in the place of a sub-query. */
    Query named(Query query, List<Variable> columns);

    /** Makes a sub-query of all columns of a join. */
    Query of(Stream join);
}
