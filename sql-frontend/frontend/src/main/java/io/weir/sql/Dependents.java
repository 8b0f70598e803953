package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.plan.Cycles;
import io.weir.sql.validate.Binding;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlIdentifier;

/**
 * Finds queries that read or wait for another. Such a query cannot be dropped, or change its
 * columns.
 */
final class Dependents {
    private final Binding binding;
    private final Catalog catalog;

    Dependents(Binding binding, Catalog catalog) {
        this.binding = binding;
        this.catalog = catalog;
    }

    private List<String> of(String name) {
        return catalog.names().stream()
                .filter(other -> !other.equals(name))
                .flatMap(other -> catalog.find(other).stream())
                .filter(query -> Cycles.upstreams(query).contains(name))
                .map(Query::name)
                .toList();
    }

    void checkDropped(SqlIdentifier name) {
        List<String> dependents = of(name.getSimple());
        if (!dependents.isEmpty()) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    name,
                    String.join(", ", dependents) + " depends on " + name.getSimple(),
                    "drop " + String.join(", ", dependents) + " first");
        }
    }

    /** New columns are allowed. The old ones must stay, with their types. */
    void checkReplaced(SqlIdentifier name, Query old, Query replacement) {
        List<String> dependents = of(name.getSimple());
        if (dependents.isEmpty()) {
            return;
        }
        if (old.isTable() != replacement.isTable()) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    name,
                    String.join(", ", dependents)
                            + " depends on "
                            + name.getSimple()
                            + (old.isTable()
                                    ? ", which would have windows, or rows of single packets"
                                    : ", whose rows would be totals"),
                    "drop " + String.join(", ", dependents) + " first");
        }
        List<Variable> lost =
                old.columns().stream().filter(c -> !replacement.columns().contains(c)).toList();
        if (lost.isEmpty()) {
            return;
        }
        Stream<String> columns = lost.stream().map(c -> c.name() + " " + c.type());
        throw binding.error(
                ErrorCode.INVALID_QUERY,
                name,
                String.join(", ", dependents)
                        + " depends on "
                        + name.getSimple()
                        + ", which would lose "
                        + String.join(", ", columns.toList()),
                "keep its columns, or drop " + String.join(", ", dependents) + " first");
    }
}
