package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A check refuses just the queries that a compile refuses, and makes no class. */
class KernelCheckTest {
    private static final int ROUNDS = Integer.getInteger("weir.rounds", 300);
    private static final int LARGE_ROUNDS = Integer.getInteger("weir.rounds", 24);
    private static final List<GpvLayout> FULL = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
    private static final List<GpvLayout> FLOW = List.of(GpvLayout.FLOW32_V4);
    private static final int QUERIES = Integer.getInteger("weir.test.queries", 20_000);

    private final long seed = Long.getLong("weir.seed", 1);

    private static String outcome(Runnable work) {
        try {
            work.run();
            return "taken";
        } catch (WeirException refused) {
            return refused.code() + " " + refused.text();
        }
    }

    private static String checked(Query query, List<GpvLayout> layouts) {
        long before = GeneratedClasses.MADE.get();
        String outcome = outcome(() -> KernelCompiler.check(query, layouts));
        assertEquals(before, GeneratedClasses.MADE.get());
        return outcome;
    }

    @Test
    void aCheckRefusesJustWhatACompileRefuses() {
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            Query query = new RandomQueries(random, TestQueries.packets(FULL.get(0))).next();
            List<GpvLayout> layouts = random.nextBoolean() ? FULL : FLOW;
            String checked = checked(query, layouts);
            String compiled = outcome(() -> KernelCompiler.compile(query, layouts));
            assertEquals(compiled, checked, "-Dweir.seed=" + (seed + round));
            refused += checked.equals("taken") ? 0 : 1;
        }
        assertTrue(refused > 0 && refused < ROUNDS, refused + " refused, -Dweir.seed=" + seed);
    }

    @Test
    void alsoAmongLargeQueries() {
        int refused = 0;
        for (int round = 0; round < LARGE_ROUNDS; round++) {
            Query query = large(new Random(seed + round));
            String checked = checked(query, FULL);
            String compiled = outcome(() -> KernelCompiler.compile(query, FULL));
            assertEquals(compiled, checked, "-Dweir.seed=" + (seed + round));
            refused += checked.equals("taken") ? 0 : 1;
        }
        assertTrue(refused > 0 && refused < LARGE_ROUNDS, refused + " refused");
    }

    /** Many columns, conditions or levels. */
    private static Query large(Random random) {
        List<Named> outputs = new ArrayList<>();
        Expr where = Literal.of(true);
        if (random.nextBoolean()) {
            List<Expr> ports = new ArrayList<>();
            for (int i = random.nextInt(2_500); i >= 0; i--) {
                Expr port = TestQueries.column("src_port");
                ports.add(Functions.call("=", port, Literal.of((long) i)));
            }
            where = Functions.call(Functions.OR, ports);
        }
        int columns = 1 + random.nextInt(300);
        int levels = random.nextInt(random.nextBoolean() ? 10 : 220);
        for (int c = 0; c < columns; c++) {
            Expr value = TestQueries.column("bytes");
            for (int i = 0; i < levels; i++) {
                value = Functions.call("+", value, TestQueries.column("tcp_seq"));
            }
            outputs.add(new Named("c" + c, value));
        }
        Operator scan = TestQueries.packets(FULL.get(0));
        return new Query(
                "large",
                new Project(new Operator.Filter(scan, where), outputs),
                Optional.empty(),
                "");
    }

    private static Query labelled(String label) {
        Expr port = Functions.call("=", TestQueries.column("src_port"), Literal.of(80L));
        Expr node = Functions.call("=", TestQueries.column("node_id"), text(label));
        Expr either = Functions.call(Functions.OR, List.of(port, node));
        return TestQueries.groups(
                FULL.get(0),
                Optional.of(either),
                Optional.empty(),
                List.of("src_addr"),
                TestQueries.count("packets"));
    }

    private static Literal text(String label) {
        return new Literal(label, Type.VARCHAR);
    }

    /** Strings of queries that are no more give their numbers back. */
    @Test
    void stringsOfDroppedQueriesAreFree() {
        CompiledQuery stays = KernelCompiler.compile(labelled("stays"), FULL);
        int id = Symbols.of("stays").id();
        int most = 0;
        for (int i = 0; i < QUERIES; i++) {
            Query query = labelled("label " + i);
            KernelCompiler.check(query, FULL);
            KernelCompiler.compile(query, FULL);
            if (i % 1_000 == 0) {
                System.gc();
                most = Math.max(most, Symbols.count());
            }
        }
        assertTrue(most < QUERIES / 2, most + " strings");
        assertEquals(id, Symbols.of("stays").id(), stays.query().name());
        assertEquals("stays", Symbols.text(id));
    }

    @Test
    void aQueryWithTooManyStringsIsAnError() {
        List<Expr> nodes = new ArrayList<>();
        for (int i = 0; i <= Query.MOST_STRINGS; i++) {
            nodes.add(Functions.call("=", TestQueries.column("node_id"), text("n" + i)));
        }
        Query query =
                TestQueries.groups(
                        FULL.get(0),
                        Optional.of(Functions.call(Functions.OR, nodes)),
                        Optional.empty(),
                        List.of("src_addr"),
                        TestQueries.count("packets"));
        WeirException refused =
                assertThrows(WeirException.class, () -> KernelCompiler.check(query, FULL));
        assertEquals(ErrorCode.TOO_MANY_STRINGS, refused.code());
        assertTrue(refused.text().contains("more than 1000 different strings"), refused.text());
    }
}
