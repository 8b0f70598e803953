package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A paused query costs nothing, ends its open windows, and counts again when it resumes. */
@Timeout(120)
final class PauseTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT
                    .withTime(0, 0)
                    .withMemory(64L << 20, 16L << 20)
                    .withBlocks(16384, 1 << 18);

    private final Account account = new Account();
    private final LocalEngine engine = new LocalEngine(OPTIONS, account);
    private final Random random = new Random(3);

    /** By query: its windows in order, as "end n partial". */
    private final Map<String, List<String>> windows = new LinkedHashMap<>();

    private static Query counts(String name, double seconds) {
        return Graphs.counts(name, Graphs.tumble(seconds), null);
    }

    private void take(String query, RowBatch batch) {
        for (int row = 0; row < batch.rows(); row++) {
            long n = (Long) batch.value(row, batch.layout().indexOf("n"));
            String window = batch.windowEndNs() / SECOND_NS + " " + n;
            windows.computeIfAbsent(query, q -> new ArrayList<>())
                    .add(window + (batch.partial() ? " partial" : ""));
        }
    }

    private void add(Query query) {
        engine.add(Run.compile(query), batch -> take(query.name(), batch));
    }

    private void pause(Query query) {
        engine.pause(Run.compile(query), batch -> take(query.name(), batch));
    }

    private void resume(Query query) {
        engine.replace(Run.compile(query), batch -> take(query.name(), batch));
    }

    /** Ten packets a second, at tenths of it. */
    private void packets(double from, double until) {
        for (long tenth = Math.round(from * 10); tenth < Math.round(until * 10); tenth++) {
            long ns = tenth * SECOND_NS / 10;
            RandomGpv gpv =
                    new RandomGpv(random, GpvLayout.FULL_V4, 1, ns)
                            .with("src_addr", Inet.v4(1))
                            .with("dst_addr", Inet.v4(2));
            gpv.with(GpvLayout.DELTA, new long[gpv.count()]);
            gpv.writeTo(engine.writers().get(0), false);
            engine.writers().get(0).flush(ns);
            engine.poll();
        }
    }

    private void end() {
        engine.awaitEnd();
        engine.close();
        engine.allocator().close();
        assertTrue(account.isBalanced(), account.snapshot().toString());
    }

    @Test
    void openWindowsEndAsPartialAndNothingCountsMeanwhile() {
        Query query = counts("q", 1);
        add(query);
        engine.start();
        packets(0, 1.5);
        pause(query);
        packets(1.5, 3.5);
        assertEquals(0, engine.attachedStates());
        resume(query);
        packets(3.5, 6);
        end();
        assertEquals(
                List.of("1 10", "2 5 partial", "4 5 partial", "5 10", "6 10"), windows.get("q"));
    }

    @Test
    void queriesThatShareItsGroupsGoOn() {
        Query query = counts("q", 1);
        add(query);
        add(counts("other", 1));
        engine.start();
        packets(0, 1.5);
        pause(query);
        packets(1.5, 4.5);
        resume(query);
        packets(4.5, 7);
        end();
        List<String> all = List.of("1 10", "2 10", "3 10", "4 10", "5 10", "6 10", "7 10");
        assertEquals(all, windows.get("other"));
        List<String> own = windows.get("q");
        assertEquals(List.of("1 10", "2 10", "6 10", "7 10"), without(own, "5 "));
    }

    /** The window of the resumption is whole, or says that it is partial. */
    private static List<String> without(List<String> windows, String end) {
        return windows.stream().filter(window -> !window.startsWith(end)).toList();
    }

    @Test
    void readersStayAndGetRowsAgain() {
        Query query = counts("q", 1);
        Query over = Graphs.counts("over", Graphs.rowsOf(query), "n", Graphs.tumble(2), null);
        add(query);
        add(over);
        engine.start();
        packets(0, 2.5);
        pause(query);
        packets(2.5, 6);
        resume(query);
        packets(6, 10);
        end();
        assertEquals(List.of("2 2", "4 1", "8 2", "10 2"), counted(windows.get("over")));
    }

    private static List<String> counted(List<String> windows) {
        return windows.stream().map(window -> window.replace(" partial", "")).toList();
    }

    private static Query wokenBy(Query upstream) {
        return Graphs.counts("woken", Graphs.tumble(1), Graphs.when(upstream, 5, null, 100.0));
    }

    @Test
    void aPausedQueryIsNotWokenAndSleepsWhenItResumes() {
        Query upstream = counts("up", 1);
        Query woken = wokenBy(upstream);
        add(upstream);
        add(woken);
        engine.start();
        packets(0, 3.5);
        assertEquals(2, engine.attachedStates());
        pause(woken);
        packets(3.5, 6.1);
        assertEquals(1, engine.attachedStates());
        resume(woken);
        packets(6.1, 6.5);
        assertEquals(1, engine.attachedStates());
        packets(6.5, 9);
        assertEquals(2, engine.attachedStates());
        end();
        assertEquals("4 5 partial", windows.get("woken").get(2));
        // The packet that closes the window may have passed before the query is awake.
        String first = windows.get("woken").get(3);
        assertTrue(first.startsWith("8 9"), first);
    }

    @Test
    void itsWaitersStay() {
        Query upstream = counts("up", 1);
        Query woken = wokenBy(upstream);
        add(upstream);
        add(woken);
        engine.start();
        pause(upstream);
        packets(0, 3);
        assertEquals(0, engine.attachedStates());
        resume(upstream);
        packets(3, 6);
        assertEquals(2, engine.attachedStates());
        end();
    }

    @Test
    void pausedBeforeTheFirstPacketAndTwice() {
        Query query = counts("q", 1);
        pause(query);
        Query over = Graphs.counts("over", Graphs.rowsOf(query), "n", Graphs.tumble(1), null);
        add(over);
        engine.start();
        packets(0, 1);
        pause(query);
        packets(1, 2);
        resume(query);
        packets(2, 4);
        pause(query);
        packets(4, 5);
        engine.drop("over");
        engine.drop("q");
        end();
        assertEquals(List.of("3 10", "4 10"), counted(windows.get("q")));
    }

    /** The work of queries is measured: of each its packets, rows and state. */
    @Test
    void costsAreSampled() {
        add(counts("q", 1));
        add(counts("other", 1));
        engine.start();
        packets(0, 100);
        List<QueryCost> costs = engine.costs();
        assertEquals(List.of("q", "other"), costs.stream().map(QueryCost::query).toList());
        for (QueryCost cost : costs) {
            assertEquals("q", cost.stateOf());
            assertTrue(cost.kernelPackets() >= 1000 / 64, cost.toString());
            assertTrue(cost.kernelNsPerPacket() > 0, cost.toString());
            assertTrue(cost.rows() >= 98, cost.toString());
            assertTrue(cost.nsPerRow() > 0, cost.toString());
            assertTrue(cost.mostBytes() > 0, cost.toString());
        }
        end();
    }
}
