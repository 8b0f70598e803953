package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.memory.NativeGpvs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random queries whose GPVs C reads (keys and filters of the header, counted tuples, sums of
 * lengths, tuples that match, keys of packets' own) over random GPVs: what they say is what the
 * interpreter says. Without C the same queries have loops of Java's.
 */
class GatherOracleTest {
    private static final int QUERIES = Integer.getInteger("weir.test.gather.queries", 600);

    private static final int LARGE_QUERIES =
            Integer.getInteger("weir.test.gather.large.queries", 20);

    private static final Window[] WINDOWS = {
        Window.tumble(1_000_000_000L),
        Window.tumble(300_000_000L),
        new Window(3_000_000_000L, 1_000_000_000L)
    };

    private int gathered;
    private int filtered;
    private int added;
    private int toGroups;
    private int toGroupsOfNew;
    private int ofPackets;
    private int matched;

    @Test
    void whatCReadsIsWhatTheInterpreterReads() {
        KernelOracleTest.checkAll(QUERIES, this::check);
        // The test's own: most of what it makes is for C, where there is any.
        int least = NativeGpvs.HAVE ? QUERIES : 0;
        assertTrue(gathered >= least / 2, gathered + " gather");
        assertTrue(filtered >= least / 10, filtered + " with filters");
        assertTrue(added >= least / 20, added + " without entries");
        assertTrue(toGroups >= least / 10, toGroups + " add to groups");
        assertTrue(toGroupsOfNew >= least / 20, toGroupsOfNew + " add to groups of what is new");
        assertTrue(ofPackets >= least / 20, ofPackets + " have packets' keys");
        assertTrue(matched >= least / 40, matched + " match packets");
    }

    @Test
    void whatCAddsToTablesThatGrowIsWhatTheInterpreterAdds() {
        KernelOracleTest.checkAll(
                LARGE_QUERIES,
                (random, allocator) -> {
                    List<GpvLayout> layouts = layouts(random);
                    Query query = query(random, layouts.get(0));
                    KernelOracleTest.checkLarge(random, allocator, query, layouts);
                });
    }

    private void check(Random random, NativeAllocator allocator) {
        List<GpvLayout> layouts = layouts(random);
        Query query = query(random, layouts.get(0));
        String text = KernelCompiler.compile(query, layouts).source(layouts.get(0));
        if (text.contains("extends GatherKernel")) {
            gathered++;
            filtered += text.contains(".test(") ? 1 : 0;
            added += text.contains("gather.packets(") ? 1 : 0;
            toGroups += text.contains(".groups()") ? 1 : 0;
            toGroupsOfNew += text.contains("New(") ? 1 : 0;
            ofPackets += text.contains(".field(") ? 1 : 0;
            matched += text.contains(".match(\"") ? 1 : 0;
        }
        KernelOracleTest.checkQuery(
                random, allocator, query, layouts, random.nextInt(4) == 0, false);
    }

    private static List<GpvLayout> layouts(Random random) {
        String name = List.of("flow32", "flow64", "full").get(random.nextInt(3));
        return GpvLayout.all().stream().filter(l -> l.name().equals(name)).toList();
    }

    private static Query query(Random random, GpvLayout layout) {
        List<String> columns = new ArrayList<>();
        for (Field field : layout.fields()) {
            if (field.place() == Field.Place.HEADER && !field.name().startsWith("#")) {
                columns.add(field.name());
            }
        }
        Collections.shuffle(columns, random);
        int keys = random.nextInt(5);
        List<String> own = ofPackets(random, layout);
        columns.addAll(0, own);
        Optional<Window> window =
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(WINDOWS[random.nextInt(WINDOWS.length)]);
        Query query =
                TestQueries.groups(
                        layout,
                        filter(random, layout),
                        window,
                        List.copyOf(columns.subList(0, Math.min(keys, columns.size()))),
                        folds(random, columns, !layout.name().equals("flow64")));
        return random.nextInt(4) > 0
                ? query
                : new Query(
                        "q",
                        query.root(),
                        Optional.of(
                                new When(
                                        "other",
                                        Expr.Literal.of(true),
                                        Optional.empty(),
                                        Optional.empty())),
                        "");
    }

    /** Columns of tuples that come first among the keys: mostly none. */
    private static List<String> ofPackets(Random random, GpvLayout layout) {
        List<String> columns = new ArrayList<>();
        for (Field field : layout.fields()) {
            if (field.place() == Field.Place.TUPLE && !field.name().startsWith("#")) {
                columns.add(field.name());
            }
        }
        Collections.shuffle(columns, random);
        int most = Math.min(columns.size(), Math.max(0, random.nextInt(7) - 4));
        return List.copyOf(columns.subList(0, most));
    }

    private static Optional<Expr> filter(Random random, GpvLayout layout) {
        List<Expr> tests = new ArrayList<>();
        if (layout.name().equals("full") && random.nextBoolean()) {
            Expr flags = TestQueries.column("tcp_flags");
            Expr some =
                    random.nextBoolean()
                            ? flags
                            : Functions.call("bitand", flags, Expr.Literal.of(18L));
            tests.add(Functions.call("=", some, Expr.Literal.of(2L * random.nextInt(2))));
        }
        for (String column : List.of("proto", "dst_port", "src_port")) {
            if (random.nextInt(4) == 0) {
                long value = random.nextInt(6);
                tests.add(Functions.call("=", TestQueries.column(column), Expr.Literal.of(value)));
            }
        }
        return tests.stream().reduce((a, b) -> Functions.call("AND", a, b));
    }

    private static FoldCall[] folds(Random random, List<String> columns, boolean sums) {
        List<FoldCall> folds = new ArrayList<>();
        if (random.nextInt(6) == 0) {
            return new FoldCall[] {distinct(random, columns, "d")};
        }
        folds.add(TestQueries.count("n"));
        if (sums && random.nextBoolean()) {
            Expr bytes = TestQueries.column("bytes");
            folds.add(
                    TestQueries.call(
                            "b",
                            random.nextBoolean()
                                    ? Folds.sum(Kind.BIGINT)
                                    : Folds.sumOfSome(Kind.BIGINT),
                            bytes));
        }
        int distinct = random.nextInt(5) - 2;
        for (int d = 0; d < distinct; d++) {
            folds.add(distinct(random, columns, "d" + d));
        }
        if (random.nextInt(4) == 0) {
            Collections.reverse(folds);
        }
        return folds.toArray(FoldCall[]::new);
    }

    private static FoldCall distinct(Random random, List<String> columns, String name) {
        Expr[] some =
                random.ints(1 + random.nextInt(2), 0, columns.size())
                        .distinct()
                        .mapToObj(columns::get)
                        .map(TestQueries::column)
                        .toArray(Expr[]::new);
        return TestQueries.distinct(name, some);
    }
}
