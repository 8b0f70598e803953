package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator.Named;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.sql.SqlNode;

/** Makes the result columns: SELECT's items, bound and named. */
final class Outputs {
    /** The most columns of a result. */
    static final int MAX_COLUMNS = 256;

    private final Binding binding;
    private final ColumnNames names = new ColumnNames();

    Outputs(Binding binding) {
        this.binding = binding;
    }

    List<Named> named(List<SelectItem> items, Function<SqlNode, Expr> binder) {
        if (items.size() > MAX_COLUMNS) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    items.get(MAX_COLUMNS).node(),
                    "more than " + MAX_COLUMNS + " columns");
        }
        for (SelectItem item : items) {
            item.alias().ifPresent(alias -> takeAlias(item, alias));
        }
        List<Named> outputs = new ArrayList<>();
        for (SelectItem item : items) {
            int position = outputs.size() + 1;
            String name =
                    item.alias()
                            .orElseGet(
                                    () -> names.unique(ColumnNames.ofItem(item.node(), position)));
            Expr expr = binding.taken(item.node(), binder.apply(item.node()));
            outputs.add(new Named(name, expr));
        }
        return outputs;
    }

    private void takeAlias(SelectItem item, String alias) {
        if (names.isTaken(alias)) {
            throw twice(item, alias);
        }
        names.take(alias);
    }

    private WeirException twice(SelectItem item, String alias) {
        return binding.error(
                ErrorCode.INVALID_QUERY,
                item.node(),
                "two columns are called " + alias,
                "rename one: its name is how it is asked for");
    }
}
