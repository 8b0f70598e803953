package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr.Variable;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** One item of SELECT, with * written out. */
record SelectItem(SqlNode node, Optional<String> alias) {

    static List<SelectItem> of(RowScope rows, List<SqlNode> list) {
        List<SelectItem> items = new ArrayList<>();
        for (SqlNode node : list) {
            if (node instanceof SqlIdentifier star && star.isStar()) {
                checkQualifier(rows, star);
                items.addAll(all(rows, star));
            } else if (node.getKind() == SqlKind.AS) {
                SqlCall as = (SqlCall) node;
                String alias = ((SqlIdentifier) as.operand(1)).getSimple();
                items.add(new SelectItem(as.operand(0), Optional.of(alias)));
            } else {
                items.add(new SelectItem(node, Optional.empty()));
            }
        }
        return items;
    }

    private static void checkQualifier(RowScope rows, SqlIdentifier star) {
        boolean fits =
                star.names.size() == 1
                        || star.names.size() == 2 && rows.source.isQualifier(star.names.get(0));
        if (!fits) {
            Binding binding = rows.binding;
            throw binding.error(
                    ErrorCode.UNKNOWN_STREAM,
                    star,
                    star.names.get(0) + " is not a stream of this query",
                    "its stream is " + rows.source.alias());
        }
    }

    private static List<SelectItem> all(RowScope rows, SqlIdentifier star) {
        SqlParserPos at = star.getParserPosition();
        boolean whole = star.names.size() == 1;
        List<JoinedTable> tables =
                rows.tables().stream()
                        .filter(table -> whole || table.alias().equals(star.names.get(0)))
                        .toList();
        List<SelectItem> items = new ArrayList<>();
        if (whole || tables.isEmpty()) {
            items.addAll(ofStream(rows, star, at));
        }
        for (JoinedTable table : tables) {
            for (Variable column : table.columns()) {
                if (!whole || rows.source.stream().find(column.name()).isEmpty()) {
                    items.add(item(table.alias(), column.name(), at));
                }
            }
        }
        return items;
    }

    private static SelectItem item(String qualifier, String name, SqlParserPos at) {
        return new SelectItem(new SqlIdentifier(List.of(qualifier, name), at), Optional.empty());
    }

    private static List<SelectItem> ofStream(RowScope rows, SqlIdentifier star, SqlParserPos at) {
        if (!rows.source.isJoin() && !rows.tables().isEmpty() && rows.source.window().isEmpty()) {
            return rows.source.stream().columns().stream()
                    .map(column -> item(rows.source.alias(), column.name(), at))
                    .toList();
        }
        if (rows.source.isJoin()) {
            String side = star.names.size() == 2 ? star.names.get(0) + "." : "";
            return rows.source.stream().columns().stream()
                    .filter(column -> column.name().startsWith(side))
                    .map(column -> List.of(column.name().split("\\.", 2)))
                    .map(name -> new SelectItem(new SqlIdentifier(name, at), Optional.empty()))
                    .toList();
        }
        List<String> names = new ArrayList<>();
        rows.source.stream().columns().forEach(column -> names.add(column.name()));
        if (rows.source.window().isPresent()) {
            names.addAll(RowScope.WINDOW_COLUMNS);
        }
        return names.stream()
                .map(name -> new SelectItem(new SqlIdentifier(name, at), Optional.empty()))
                .toList();
    }
}
