package io.weir.cluster.graph;

import io.weir.cluster.wire.GraphTable;
import io.weir.cluster.wire.GraphTableColumn;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.operators.graph.Type;
import io.weir.operators.table.StoredTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The lookup tables of one plan, by their names and columns. One thread. */
public final class GraphTables {
    private final Function<String, Optional<LookupTable>> there;
    private final Map<String, LookupTable> found = new HashMap<>();

    private GraphTables(Function<String, Optional<LookupTable>> there) {
        this.there = there;
    }

    /** Finds those of a catalogue. A table that it lacks, or has otherwise, is an error. */
    public static GraphTables of(Function<String, Optional<LookupTable>> catalog) {
        return new GraphTables(catalog);
    }

    /** Makes tables without content, for plans that only name columns of theirs. */
    public static GraphTables empty() {
        return new GraphTables(null);
    }

    /** Returns a table's name, columns and key as a message. */
    public static GraphTable of(LookupTable table) {
        TableSchema schema = table.schema();
        GraphTable.Builder made =
                GraphTable.newBuilder().setName(table.name()).setMatch(schema.match().name());
        for (Variable column : schema.columns()) {
            made.addColumn(
                    GraphTableColumn.newBuilder()
                            .setName(column.name())
                            .setKind(column.type().kind().name())
                            .setNullable(column.type().nullable()));
        }
        return made.addAllKey(schema.key()).build();
    }

    /**
     * Returns the columns and the key of a message.
     *
     * @throws IllegalArgumentException if this release does not know a part
     */
    public static TableSchema schema(GraphTable table) {
        List<Variable> columns =
                table.getColumnList().stream()
                        .map(
                                column ->
                                        Variable.column(
                                                column.getName(),
                                                new Type(
                                                        Kind.valueOf(column.getKind()),
                                                        column.getNullable())))
                        .toList();
        return new TableSchema(columns, table.getKeyList(), Match.valueOf(table.getMatch()));
    }

    /** Parts of a plan that name one table have one object. */
    LookupTable find(GraphTable table) {
        return found.computeIfAbsent(table.getName(), name -> made(name, schema(table)));
    }

    private LookupTable made(String name, TableSchema schema) {
        if (there == null) {
            return new StoredTable(name, schema);
        }
        return there.apply(name)
                .filter(table -> table.schema().equals(schema))
                .orElseThrow(
                        () -> new IllegalArgumentException("the table " + name + ", as it is now"));
    }
}
