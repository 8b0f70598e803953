package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator.Named;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.WindowBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;

/** Plans GROUP BY: columns, expressions, aliases, positions, and at most one window. */
final class GroupClause {
    private final Binding binding;
    private final RowScope rows;
    private final List<SelectItem> items;
    private final ColumnNames names = Grouping.reserved();
    private final List<Named> keys = new ArrayList<>();
    private Optional<Windowing> window = Optional.empty();
    private boolean groupsByTableWindow;

    GroupClause(RowScope rows, List<SelectItem> items) {
        this.binding = rows.binding;
        this.rows = rows.in("GROUP BY");
        this.items = items;
    }

    /**
     * @param group null without the clause
     */
    Grouping grouping(List<SqlNode> group) {
        rows.correlated().ifPresent(upstream -> keys.addAll(upstream.keys(names::unique)));
        if (group != null) {
            group.forEach(this::add);
        }
        Optional<Windowing> ofTable = rows.source.window();
        if (ofTable.isPresent() && !groupsByTableWindow) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    rows.source.at(),
                    "the query aggregates without grouping by its windows",
                    "add GROUP BY window_start, window_end");
        }
        return new Grouping(ofTable.or(() -> window), keys);
    }

    private void add(SqlNode item) {
        boolean byPosition = item instanceof SqlNumericLiteral;
        SqlNode node =
                byPosition ? atPosition((SqlNumericLiteral) item) : aliased(item).orElse(item);
        if (Windows.isOne(node) || node instanceof SqlCall call && WindowBounds.isOne(call)) {
            addWindow((SqlCall) node);
        } else if (rows.source.window().isPresent() && isWindowColumn(node)) {
            groupsByTableWindow = true;
        } else {
            addKey(byPosition ? node : item, node);
        }
    }

    private static boolean isWindowColumn(SqlNode item) {
        return RowScope.WINDOW_COLUMNS.stream().anyMatch(name -> Windows.isColumn(item, name));
    }

    /** Adds a window, or the start or end of one, which group alike. */
    private void addWindow(SqlCall call) {
        Windows windows = new Windows(binding);
        Windowing added =
                WindowBounds.isOne(call)
                        ? windows.ofBound(rows.source, call)
                        : windows.ofGroup(rows.source, call);
        if (!rows.source.window().or(() -> window).map(added::equals).orElse(true)) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY, call, "a query has one window", "leave this one out");
        }
        groupsByTableWindow = true;
        window = Optional.of(added);
    }

    private SqlNode atPosition(SqlNumericLiteral literal) {
        int position = Positions.of(binding, literal, items.size(), "GROUP BY");
        return items.get(position - 1).node();
    }

    /**
     * @param item as it is named
     * @param node its meaning
     */
    private void addKey(SqlNode item, SqlNode node) {
        Expr expr = new ExpressionBinder(binding, rows).bind(node);
        if (expr instanceof Expr.Literal) {
            throw constant(item);
        } else if (keys.stream().noneMatch(key -> key.expr().equals(expr))) {
            keys.add(
                    new Named(
                            names.unique(name(item, expr)),
                            binding.taken(node, rows.kept(node, expr))));
        }
    }

    private WeirException constant(SqlNode item) {
        return binding.error(
                ErrorCode.INVALID_QUERY,
                item,
                "a constant does not group",
                item instanceof SqlLiteral ? "columns are named without quotes" : null);
    }

    /** Returns the item of an alias. A column of the input goes before an alias. */
    private Optional<SqlNode> aliased(SqlNode item) {
        if (item.getKind() != SqlKind.IDENTIFIER || !((SqlIdentifier) item).isSimple()) {
            return Optional.empty();
        }
        String name = ((SqlIdentifier) item).getSimple();
        return rows.find(name).isPresent()
                ? Optional.empty()
                : items.stream()
                        .filter(i -> i.alias().filter(name::equals).isPresent())
                        .map(SelectItem::node)
                        .findFirst();
    }

    private String name(SqlNode item, Expr expr) {
        if (expr instanceof Expr.Variable column) {
            return column.name();
        }
        return item instanceof SqlIdentifier id
                ? id.names.get(id.names.size() - 1)
                : "key_" + (keys.size() + 1);
    }
}
