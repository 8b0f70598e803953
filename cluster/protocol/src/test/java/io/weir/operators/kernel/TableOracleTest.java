package io.weir.operators.kernel;

import io.weir.operators.function.TableFunctions;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.Filter;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Operator.Scan;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.Window;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.StoredTable;
import io.weir.operators.table.TableBuilder;
import io.weir.operators.table.TableBuilder.DuplicateKey;
import io.weir.operators.table.ValueSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Random queries that look packets up in random tables: what kernels find is what the interpreter
 * finds by reading all rows.
 */
class TableOracleTest {
    private static final int QUERIES = Integer.getInteger("weir.test.queries", 2_000) / 5;
    private static final List<Variable> VALUES =
            List.of(
                    Variable.column("name", Type.VARCHAR.orNull()),
                    Variable.column("score", Type.BIGINT.orNull()),
                    Variable.column("owner", Type.INET.orNull()),
                    Variable.column("share", Type.DOUBLE.orNull()),
                    Variable.column("hot", Type.BOOLEAN.orNull()));

    private final List<AutoCloseable> open = new ArrayList<>();

    @Test
    void kernelsFindWhatTheInterpreterFinds() {
        KernelOracleTest.checkAll(QUERIES, this::check);
    }

    private void check(Random random, NativeAllocator allocator) {
        try {
            String layout = List.of("flow32", "flow64", "full").get(random.nextInt(3));
            List<GpvLayout> layouts =
                    GpvLayout.all().stream().filter(l -> l.name().equals(layout)).toList();
            Scan scan = new Scan(StreamType.PACKETS, RandomPackets.columns(layouts.get(0)), "ts");
            Query query = query(random, allocator, scan);
            KernelOracleTest.checkQuery(
                    random, allocator, query, layouts, random.nextInt(8) == 0, false);
        } finally {
            closeAll();
        }
    }

    private void closeAll() {
        try {
            for (AutoCloseable one : open) {
                one.close();
            }
            open.clear();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Query query(Random random, NativeAllocator allocator, Scan scan) {
        boolean prefix = random.nextBoolean();
        List<String> names =
                prefix
                        ? List.of(random.nextBoolean() ? "src_addr" : "dst_addr")
                        : List.of(
                                        List.of("src_addr"),
                                        List.of("proto"),
                                        List.of("node_id"),
                                        List.of("bytes", "dst_addr"),
                                        List.of("proto", "src_addr", "dst_addr"))
                                .get(random.nextInt(5));
        List<Variable> key = names.stream().map(name -> column(scan, name)).toList();
        LookupTable table = prefix ? prefixes(random, allocator) : equal(random, allocator, key);
        Expr row = TableFunctions.find(table, List.copyOf(key));
        boolean left = random.nextInt(3) == 0;
        Expr found = TableFunctions.isFound(row);
        Operator input = scan;
        if (!left) {
            input =
                    new Filter(
                            scan,
                            random.nextInt(4) == 0
                                    ? Functions.call(Functions.NOT, List.of(found))
                                    : found);
        } else if (random.nextBoolean()) {
            input = new Filter(scan, inList(random, column(scan, "proto")));
        }
        List<Expr> values = new ArrayList<>();
        int first = table.schema().columns().size() - VALUES.size();
        for (int v = 0; v < VALUES.size(); v++) {
            values.add(TableFunctions.value(row, first + v, true));
        }
        return new Query("q", root(random, input, values, key), Optional.empty(), "");
    }

    private static Operator root(
            Random random, Operator input, List<Expr> values, List<Variable> key) {
        if (random.nextInt(4) == 0) {
            List<Named> outputs = new ArrayList<>();
            values.forEach(value -> outputs.add(new Named("c" + outputs.size(), value)));
            key.forEach(column -> outputs.add(new Named(column.name(), column)));
            return new Project(input, outputs);
        }
        List<Named> keys = new ArrayList<>();
        for (Expr value : List.of(values.get(0), values.get(2), values.get(4))) {
            if (random.nextBoolean()) {
                keys.add(new Named("k" + keys.size(), value));
            }
        }
        List<FoldCall> folds = new ArrayList<>();
        folds.add(new FoldCall("n", Folds.count(), List.of(), false, Optional.empty()));
        folds.add(
                new FoldCall(
                        "s",
                        Folds.sum(Kind.BIGINT),
                        List.of(values.get(1)),
                        false,
                        random.nextBoolean() ? Optional.of(values.get(4)) : Optional.empty()));
        Optional<Window> window =
                random.nextBoolean()
                        ? Optional.of(Window.tumble(1_000_000_000L))
                        : Optional.empty();
        Aggregate aggregate = new Aggregate(input, window, keys, folds, Set.of());
        List<Named> outputs = new ArrayList<>();
        keys.forEach(k -> outputs.add(new Named(k.name(), k.column())));
        folds.forEach(f -> outputs.add(new Named(f.name(), f.column())));
        return new Project(aggregate, outputs);
    }

    private static Expr inList(Random random, Variable column) {
        List<Object> values = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            values.add((long) random.nextInt(5));
        }
        LookupTable set = new ValueSet(Kind.BIGINT, values);
        return TableFunctions.isFound(TableFunctions.find(set, List.of(column)));
    }

    private static Variable column(Scan scan, String name) {
        return scan.columns().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    }

    private StoredTable equal(Random random, NativeAllocator allocator, List<Variable> key) {
        List<Variable> columns = new ArrayList<>(key);
        columns.addAll(VALUES);
        List<Integer> places = new ArrayList<>();
        for (int k = 0; k < key.size(); k++) {
            places.add(k);
        }
        TableSchema schema = new TableSchema(columns, places, Match.EQUAL);
        return table(random, allocator, schema, () -> key(random, key));
    }

    private static List<Object> key(Random random, List<Variable> key) {
        List<Object> values = new ArrayList<>();
        for (Variable column : key) {
            values.add(
                    switch (column.type().kind()) {
                        case INET -> RandomPackets.address(random, random.nextBoolean() ? 4 : 6);
                        case VARCHAR -> "node" + random.nextInt(4);
                        default -> (long) random.nextInt(5);
                    });
        }
        return values;
    }

    private StoredTable prefixes(Random random, NativeAllocator allocator) {
        List<Variable> columns = new ArrayList<>();
        columns.add(Variable.column("net", Type.INET));
        columns.add(Variable.column("net_length", Type.BIGINT));
        columns.addAll(VALUES);
        TableSchema schema = new TableSchema(columns, List.of(0, 1), Match.PREFIX);
        return table(random, allocator, schema, () -> prefix(random));
    }

    private static List<Object> prefix(Random random) {
        Inet of = RandomPackets.address(random, random.nextBoolean() ? 4 : 6);
        int most = of.family() == 4 ? 32 : 128;
        int bits = random.nextInt(3) == 0 ? most - random.nextInt(4) : random.nextInt(most + 1);
        long high = bits == 0 ? 0 : bits >= 64 ? -1L : -1L << 64 - bits;
        long low = bits <= 64 ? 0 : -1L << 128 - bits;
        Inet network =
                of.family() == 4
                        ? Inet.v4(bits == 0 ? 0 : (int) (of.low() & -1L << 32 - bits))
                        : Inet.v6(of.high() & high, of.low() & low);
        return List.of(network, (long) bits);
    }

    private interface Keys {
        List<Object> next();
    }

    private StoredTable table(
            Random random, NativeAllocator allocator, TableSchema schema, Keys keys) {
        try (TableBuilder builder = new TableBuilder(allocator, schema)) {
            Set<List<Object>> known = new HashSet<>();
            for (int r = random.nextInt(40); r > 0; r--) {
                List<Object> key = keys.next();
                if (known.add(key)) {
                    List<Object> row = new ArrayList<>(key);
                    VALUES.forEach(column -> row.add(value(random, column.type().kind())));
                    builder.add(row.toArray());
                }
            }
            StoredTable table = new StoredTable("t", schema, builder.build("", 0));
            open.add(table);
            return table;
        } catch (DuplicateKey never) {
            throw new IllegalStateException(never);
        }
    }

    private static Object value(Random random, Kind kind) {
        if (random.nextInt(4) == 0) {
            return null;
        }
        return switch (kind) {
            case VARCHAR -> "name" + random.nextInt(5);
            case INET -> RandomPackets.address(random, random.nextBoolean() ? 4 : 6);
            case DOUBLE -> random.nextInt(4) / 4.0;
            case BOOLEAN -> random.nextBoolean();
            default -> (long) random.nextInt(5);
        };
    }
}
