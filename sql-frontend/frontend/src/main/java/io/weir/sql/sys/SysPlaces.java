package io.weir.sql.sys;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The places of parts of a statement, for errors that Calcite gives no place.
 *
 * @param columns of the items of SELECT; empty if these are not the result's columns
 */
record SysPlaces(SqlParserPos statement, List<SqlParserPos> columns) {
    static SysPlaces of(SqlNode query) {
        SqlNode inner = query instanceof SqlOrderBy ordered ? ordered.query : query;
        boolean plain =
                inner instanceof SqlSelect select
                        && select.getSelectList().stream().noneMatch(SysPlaces::isStar);
        List<SqlParserPos> columns =
                plain
                        ? ((SqlSelect) inner)
                                .getSelectList().stream().map(SqlNode::getParserPosition).toList()
                        : List.of();
        return new SysPlaces(query.getParserPosition(), columns);
    }

    private static boolean isStar(SqlNode item) {
        return item.getKind() == SqlKind.IDENTIFIER && item.toString().endsWith("*");
    }

    /**
     * @param index from 0
     */
    SqlParserPos column(int index) {
        return index < columns.size() ? columns.get(index) : statement;
    }
}
