package io.weir.operators.table;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.SymbolSet;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.Type;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.TableBuilder.DuplicateKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;

/**
 * The constants of an IN list, as a table of one column. Two are equal when their constants are.
 * Each reader has a content of its own. Any thread.
 */
public final class ValueSet implements SnapshotTable {
    private final long id = IDS.incrementAndGet();
    private final Kind kind;
    private final List<Object> values;
    private final TableSchema schema;
    private final SymbolSet strings = new SymbolSet();

    /**
     * @param values boxed, none null
     */
    public ValueSet(Kind kind, List<Object> values) {
        this.kind = kind;
        this.values = List.copyOf(new LinkedHashSet<>(values));
        Variable column = Variable.column("value", new Type(kind, false));
        schema = new TableSchema(List.of(column), List.of(0), TableSchema.Match.EQUAL);
    }

    public Kind kind() {
        return kind;
    }

    public List<Object> values() {
        return values;
    }

    @Override
    public String name() {
        return "";
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public TableSchema schema() {
        return schema;
    }

    @Override
    public TableSnapshot hold(NativeAllocator allocator) {
        try (TableBuilder builder = new TableBuilder(allocator, schema)) {
            values.forEach(builder::add);
            TableSnapshot made = builder.build("", 0);
            strings.keep(made.symbols());
            return made;
        } catch (DuplicateKey never) {
            throw new IllegalStateException("rows of one column are equal", never);
        }
    }

    @Override
    public boolean isOld(TableSnapshot seen) {
        return false;
    }

    @Override
    public SymbolSet strings() {
        return strings;
    }

    @Override
    public long scan(Object... key) {
        return new ArrayList<>(values).indexOf(key[0]) + 1L;
    }

    @Override
    public Object value(long row, int column) {
        return row == 0 ? null : values.get((int) row - 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ValueSet set && kind == set.kind && values.equals(set.values);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, values);
    }

    @Override
    public String toString() {
        return values.size() + " values";
    }
}
