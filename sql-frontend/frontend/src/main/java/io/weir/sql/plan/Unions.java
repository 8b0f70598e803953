package io.weir.sql.plan;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Writes a union as SELECT * FROM it, so that ORDER BY and LIMIT are of the whole. */
final class Unions {
    private Unions() {}

    static SqlNode selected(SqlNode query) {
        if (query instanceof SqlOrderBy ordered && ordered.query.getKind() == SqlKind.UNION) {
            return new SqlOrderBy(
                    ordered.getParserPosition(),
                    all(ordered.query),
                    ordered.orderList,
                    ordered.offset,
                    ordered.fetch);
        }
        return query.getKind() == SqlKind.UNION ? all(query) : query;
    }

    private static SqlSelect all(SqlNode union) {
        SqlParserPos at = union.getParserPosition();
        return new SqlSelect(
                at,
                null,
                SqlNodeList.of(SqlIdentifier.star(at)),
                union,
                null,
                null,
                null,
                SqlNodeList.EMPTY,
                null,
                null,
                null,
                null,
                SqlNodeList.EMPTY);
    }
}
