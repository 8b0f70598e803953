package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.code.GeneratedSource;
import io.weir.operators.kernel.code.KernelCode;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.memory.NativeGpvs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the compiler makes of a query, and what it refuses. */
class KernelCompilerTest {
    private static final GpvLayout FULL = GpvLayout.FULL_V4;

    private static GeneratedSource source(Query query, GpvLayout layout) {
        Plan plan = Plan.of(query);
        return KernelCode.of(plan, new StateLayout(plan), layout, false);
    }

    private static Query perSource(Optional<Expr> where) {
        return TestQueries.groups(
                FULL,
                where,
                Optional.empty(),
                List.of("src_addr"),
                TestQueries.count("packets"),
                TestQueries.call(
                        "total", Folds.sumOfSome(Kind.BIGINT), TestQueries.column("bytes")));
    }

    private static Expr portIs(long port) {
        return Functions.call("=", TestQueries.column("dst_port"), Literal.of(port));
    }

    @Test
    void aKernelReadsLikeALoopThatAPersonWouldWrite() {
        String expected =
                """
                // literal0 = 80
                package io.weir.operators.kernel.generated;

                import io.weir.operators.gpv.TupleSum;
                import io.weir.operators.kernel.Kernel;
                import io.weir.operators.map.Batch;
                import io.weir.operators.map.FlatMapInt;
                import io.weir.operators.memory.Memory;
                import io.weir.operators.window.Panes;
                import io.weir.operators.window.Tables;

                public final class Query extends Kernel {
                    private final long literal0;
                    public Query(long[] literals) {
                        this.literal0 = literals[0];
                    }

                    private final long header = 56L;
                    private final long masks = TupleSum.masksOfAll();

                    public void run(Panes panes, long address, int gpvs, int node, long endNs) {
                        long literal0 = this.literal0;
                        long header = this.header;
                        long masks = this.masks;
                        long entry = batch(panes, 32).next();
                        long end = panes.batch().end(Batch.SIZE);
                        long full = 0L;
                        long next = address;
                        long near = address;
                        for (int g = 0; g < gpvs; ) {
                            if (entry > end - 128) {
                                entry = updateBatch(panes, entry);
                            }
                            int stop = Math.min(gpvs, g + 4);
                            for (; g < stop; g++) {
                                long gpv = next;
                                long count = Memory.getShort(gpv + 14) & 0xffff;
                                long from = gpv + 56;
                                long to = gpv + header + count * 48;
                                next = to;
                                long dstPort = Memory.getShort(gpv + 10) & 0xffff;
                                if (!(dstPort < literal0)) {
                                    continue;
                                }
                                long srcAddr = Memory.getInt(gpv) & 0xffffffffL;
                                long sum1 = TupleSum.ofWords(from + 4, count, 48, masks);
                                Memory.putLong(entry, count);
                                Memory.putLong(entry + 16, srcAddr);
                                Memory.putLong(entry + 24, sum1);
                                entry += 32;
                            }
                            near = ahead(panes, entry, near, next);
                        }
                        panes.batch().next(entry);
                        updateAll(panes);
                        panes.count((next - address - gpvs * 56L) / 48, 0L, full);
                    }

                    private static long ahead(Panes panes, long to, long near, long next) {
                        Batch batch = panes.batch();
                        int n = (int) (to - batch.start()) / 32;
                        return ((FlatMapInt) panes.pane().table(0)).ahead(batch, 16, n, near, next);
                    }

                    public void update(Panes panes, Tables pane) {
                        Batch batch = pane.batch();
                        int n = batch.take();
                        FlatMapInt groups = (FlatMapInt) pane.table(0);
                        groups.seek(batch, 16, n);
                        groups.claim(batch, 16, n);
                        long full = 0L;
                        int i = 0;
                        int high = 0;
                        long other = batch.others();
                        for (long entry = batch.start(); i < n; i++, entry += 32) {
                            long away = groups.away(entry + 16);
                            long slot = groups.atHome(entry + 16);
                            Memory.putLong(other, entry);
                            other += away & 8L;
                            int countValue = (int) ((Memory.getInt(slot) & 0xffffffffL) + (Memory.getLong(entry) & ~away));
                            Memory.putInt(slot, countValue);
                            high |= countValue;
                            Memory.putLong(slot + 4, Memory.getLong(slot + 4) + (Memory.getLong(entry + 24) & ~away));
                        }
                        for (long o = batch.others(); o < other; o += 8L) {
                            long entry = Memory.getLong(o);
                            long away = 0L;
                            long slot = groups.find(entry + 16);
                            if (slot == 0L) {
                                full += Memory.getLong(entry);
                                continue;
                            }
                            int countValue = (int) ((Memory.getInt(slot) & 0xffffffffL) + (Memory.getLong(entry) & ~away));
                            Memory.putInt(slot, countValue);
                            high |= countValue;
                            Memory.putLong(slot + 4, Memory.getLong(slot + 4) + (Memory.getLong(entry + 24) & ~away));
                        }
                        if (high < 0) {
                            full += groups.carry();
                        }
                        panes.count(0L, 0L, full);
                    }
                }
                """;
        Expr low = Functions.call("<", TestQueries.column("dst_port"), Literal.of(80L));
        assertEquals(expected, source(perSource(Optional.of(low)), FULL).shown());
    }

    /** What all words of an entry are, and all filters, said as data: C reads the GPVs then. */
    @Test
    void whatIsReadOfHeadersIsData() {
        assumeTrue(NativeGpvs.HAVE, "there is no C here");
        String text = source(perSource(Optional.of(portIs(80))), FULL).text();
        String data =
                """
                        super(
                            new Gather("full", 4, false, 32, 0)
                                .word(16, "src_addr", 0)
                                .sum(24, "bytes")
                                .groups()
                                .count(0, 0)
                                .add(4, 24)
                                .test("dst_port"),
                            32, false);
                """;
        assertTrue(text.contains(data), text);
        assertTrue(text.contains("Query extends GatherKernel"), text);
        assertFalse(text.contains("void run("), text);
    }

    /** Eight packets of a GPV are copied, whatever its count: no loop over them, and no hash. */
    @Test
    void smallKeysOfPacketsAreSlots() {
        Query query =
                TestQueries.groups(
                        FULL,
                        Optional.empty(),
                        Optional.empty(),
                        List.of("tcp_flags"),
                        TestQueries.count("packets"),
                        TestQueries.call(
                                "sum", Folds.sumOfSome(Kind.BIGINT), TestQueries.column("bytes")));
        String text = source(query, FULL).text();
        String loop =
                """
                            if (tcpFlags < keys) {
                                slot = table + tcpFlags * 32L + (entry & 8L) * 2L;
                """;
        assertTrue(text.contains(loop), text);
        String run = text.substring(0, text.indexOf("void update("));
        assertFalse(run.contains("for (long tuple"), text);
        assertTrue(run.contains("Memory.putInt(entry + 60, Memory.getInt(from + 336 + 4));"), text);
    }

    @Test
    void whatTheHeaderDecidesNeedsNoPacketLoop() {
        Query query =
                TestQueries.groups(
                        FULL,
                        Optional.of(portIs(22)),
                        Optional.empty(),
                        List.of("dst_addr"),
                        TestQueries.count("packets"),
                        TestQueries.distinct("sources", TestQueries.column("src_addr")),
                        TestQueries.call(
                                "ports", Folds.avg(Kind.BIGINT), TestQueries.column("src_port")));
        String text = source(query, FULL).text();
        String run = text.substring(0, text.indexOf("void update("));
        assertFalse(run.contains("for (long tuple"), text);
    }

    @Test
    void queriesAlikeButForLiteralsShareAClass() {
        GeneratedSource http = source(perSource(Optional.of(portIs(80))), FULL);
        GeneratedSource https = source(perSource(Optional.of(portIs(443))), FULL);
        assertNotEquals(http.literals(), https.literals());
        assertSame(
                GeneratedClasses.instance(http, Kernel.class).getClass(),
                GeneratedClasses.instance(https, Kernel.class).getClass());
    }

    @Test
    void anAddressOfTheOtherFamilyIsNeverEqual() {
        Expr home = new Literal(Inet.v4(0x0A000001), Type.INET);
        Expr where = Functions.call("=", TestQueries.column("src_addr"), home);
        String text = source(perSource(Optional.of(where)), GpvLayout.FULL_V6).text();
        assertTrue(!text.contains("find("), text);
    }

    private static void assertRefused(ErrorCode code, String words, Query query, GpvLayout... l) {
        WeirException refused =
                assertThrows(WeirException.class, () -> KernelCompiler.compile(query, List.of(l)));
        assertEquals(code, refused.code());
        assertTrue(refused.text().contains(words), refused.text());
    }

    @Test
    void aColumnThatALayoutLacksIsAnErrorThatSaysWhoHasIt() {
        Expr syn = Functions.call("=", TestQueries.column("tcp_flags"), Literal.of(2L));
        assertRefused(
                ErrorCode.COLUMN_ABSENT,
                "column tcp_flags is not carried by layout flow32\nhint: carried by full",
                perSource(Optional.of(syn)),
                FULL,
                GpvLayout.FLOW32_V4);
    }

    @Test
    void aFoldThatNeedsOrderNeedsTheFlowInItsKey() {
        Fold count = Folds.count();
        Fold ordered =
                new Fold(
                        "LAST",
                        count.arguments(),
                        count.state(),
                        count.update(),
                        List.of(),
                        count.result(),
                        true);
        Query query =
                TestQueries.groups(
                        FULL,
                        Optional.empty(),
                        Optional.empty(),
                        List.of("src_addr"),
                        TestQueries.call("last", ordered));
        assertRefused(ErrorCode.INVALID_QUERY, "LAST depends on the order of packets", query, FULL);
    }

    @Test
    void tooManyPanesAreAnError() {
        Query query =
                TestQueries.groups(
                        FULL,
                        Optional.empty(),
                        Optional.of(new Window(3_600_000_000_000L, 1_000_000L)),
                        List.of("src_addr"),
                        TestQueries.count("packets"));
        assertRefused(ErrorCode.NOT_SUPPORTED, "more than 4096 panes", query, FULL);
    }

    private static Expr anyPort(int count) {
        List<Expr> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(portIs(i));
        }
        return Functions.call(Functions.OR, ports);
    }

    @Test
    void expressionsTooLargeForAClassAreAnError() {
        KernelCompiler.compile(perSource(Optional.of(anyPort(1_500))), List.of(FULL));
        assertRefused(
                ErrorCode.NOT_SUPPORTED, "too large", perSource(Optional.of(anyPort(9_000))), FULL);
        Expr deep = TestQueries.column("bytes");
        for (int i = 0; i < 190; i++) {
            deep = Functions.call("+", deep, TestQueries.column("tcp_seq"));
        }
        Expr positive = Functions.call(">", deep, Literal.of(0L));
        KernelCompiler.compile(perSource(Optional.of(positive)), List.of(FULL));
        for (int i = 0; i < 1_000; i++) {
            deep = Functions.call("+", deep, TestQueries.column("tcp_seq"));
        }
        Expr deeper = Functions.call(">", deep, Literal.of(0L));
        assertRefused(ErrorCode.NOT_SUPPORTED, "too large", perSource(Optional.of(deeper)), FULL);
    }
}
