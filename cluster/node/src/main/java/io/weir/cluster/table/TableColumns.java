package io.weir.cluster.table;

import io.weir.operators.error.Suggestion;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.operators.graph.Type;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.catalog.TableSpec.Column;
import java.util.ArrayList;
import java.util.List;

/** Makes a table's columns from those of its file. Stateless. */
final class TableColumns {
    private static final String LENGTH = "_length";

    private TableColumns() {}

    /**
     * Returns the table's columns. A prefix becomes two: its network, and its length.
     *
     * @param columns of the file, or as declared
     */
    static TableSchema schema(TableSpec spec, List<Column> columns) {
        List<Variable> made = new ArrayList<>();
        List<Integer> key = new ArrayList<>();
        List<String> names = columns.stream().map(Column::name).toList();
        for (String name : spec.key()) {
            if (!names.contains(name)) {
                throw TableFault.of(
                        spec.file() + " has no column " + name + ", which is to be the key",
                        Suggestion.hint(name, names, "it has " + String.join(", ", names)));
            }
        }
        for (Column column : columns) {
            boolean ofKey = spec.key().contains(column.name());
            made.add(Variable.column(column.name(), new Type(column.kind(), !ofKey)));
            if (ofKey && spec.match() == Match.PREFIX) {
                made.add(Variable.column(length(column.name(), names), Type.BIGINT));
            }
        }
        for (String name : spec.key()) {
            int place = made.stream().map(Variable::name).toList().indexOf(name);
            key.add(place);
            if (spec.match() == Match.PREFIX) {
                key.add(place + 1);
            } else if (made.get(place).type().kind() == Kind.DOUBLE) {
                throw TableFault.of(
                        "the key " + name + " of " + spec.file() + " has numbers with a point",
                        "a key is an address, a whole number or a text");
            }
        }
        return new TableSchema(made, key, spec.match());
    }

    private static String length(String name, List<String> others) {
        if (others.contains(name + LENGTH)) {
            throw TableFault.of(
                    "the column " + name + LENGTH + " is the length of the prefix",
                    "give the file's column another name");
        }
        return name + LENGTH;
    }
}
