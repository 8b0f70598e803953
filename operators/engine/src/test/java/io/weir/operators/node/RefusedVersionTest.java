package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * There is no memory for the new version of a query, whichever of its pieces is refused: the old
 * one goes on, until it is replaced or retired.
 */
@Timeout(120)
final class RefusedVersionTest {
    private static final long SECOND_NS = Graphs.SECOND_NS;
    private static final long BYTES = 64L << 20;
    private static final int PACKETS = 5;

    /** Less than any piece that is asked for. */
    private static final long STEP_BYTES = 4 << 10;

    private final List<String> old = Collections.synchronizedList(new ArrayList<>());
    private final List<String> next = Collections.synchronizedList(new ArrayList<>());
    private TinyEngine tiny;
    private LocalEngine engine;
    private int second;

    private static EngineOptions options(int pipelines) {
        return EngineOptions.DEFAULT
                .withShape(1, pipelines)
                .withTime(0, 0)
                .withMemory(BYTES, 8L << 20)
                .withBlocks(16384, 1 << 18);
    }

    private void start(int pipelines) {
        old.clear();
        next.clear();
        second = 0;
        tiny = new TinyEngine(options(pipelines));
        engine = tiny.engine;
        engine.start();
    }

    @AfterEach
    void allIsFreed() {
        tiny.end();
        assertEquals(List.of(), tiny.told);
        assertTrue(tiny.account.isBalanced(), tiny.account.snapshot().toString());
    }

    private static void take(RowBatch batch, List<String> into) {
        long packets = 0;
        for (int row = 0; row < batch.rows(); row++) {
            packets += batch.word(row, batch.layout().indexOf("n"));
        }
        into.add(batch.windowEndNs() / SECOND_NS + " s: " + packets);
    }

    private void add(Query query) {
        engine.add(Run.compile(query), batch -> take(batch, old));
    }

    private static Query counts(double seconds, String... keys) {
        return Graphs.counts("q", Graphs.tumble(seconds), null, keys);
    }

    private static Query bounded(Query free, long bytes) {
        Budget budget = new Budget(bytes, Budget.Overflow.EVICT);
        return new Query(free.name(), free.root(), free.when(), "", Optional.of(budget));
    }

    private void aSecond() {
        tiny.write(PACKETS, second * SECOND_NS + 1);
        second++;
        tiny.pass(second * SECOND_NS);
        tiny.pass(second * SECOND_NS + 1);
    }

    /** With a little more memory each time, so that every piece is once the one that is refused. */
    private int refusedUntilReplaced(Query successor, long stepBytes) {
        NativeAllocator allocator = engine.allocator();
        int refused = 0;
        for (long left = 0; ; left += stepBytes) {
            aSecond();
            int states = engine.attachedStates();
            long used = allocator.usedBytes();
            NativeAllocator others = allocator.reserve(BYTES - used - left);
            try {
                engine.replace(Run.compile(successor), batch -> take(batch, next));
                others.release();
                return refused;
            } catch (WeirException noMemory) {
                assertEquals(ErrorCode.OUT_OF_NATIVE_MEMORY, noMemory.code());
                refused++;
            }
            others.release();
            assertEquals(used, allocator.usedBytes(), "after " + left);
            int rows = old.size();
            aSecond();
            assertEquals(rows + 1, old.size(), "after " + left + ": " + old);
            assertEquals(states, engine.attachedStates(), "after " + left);
            assertEquals(List.of(), next);
        }
    }

    private void goesOn(int states) {
        aSecond();
        int rows = old.size();
        aSecond();
        aSecond();
        assertEquals(rows, old.size(), old.toString());
        assertEquals(second + " s: " + PACKETS, next.get(next.size() - 1));
        assertEquals(states, engine.attachedStates());
    }

    @Test
    void windows() {
        for (int pipelines = 1; pipelines <= 2; pipelines++) {
            if (pipelines > 1) {
                allIsFreed();
            }
            start(pipelines);
            add(counts(1, "src_addr"));
            int refused = refusedUntilReplaced(counts(1, "proto"), STEP_BYTES);
            // Each pipeline has one piece.
            assertEquals(pipelines * (16 << 10) / STEP_BYTES, refused);
            goesOn(pipelines);
        }
    }

    /** A part of the engine's memory is not for windows: what is set aside is refused first. */
    @Test
    void windowsWithABudget() {
        start(2);
        add(counts(1, "src_addr"));
        Query successor = bounded(counts(1, "proto"), 4 << 20);
        assertTrue(refusedUntilReplaced(successor, 1 << 20) > 16 + 3);
        goesOn(2);
    }

    @Test
    void totals() {
        start(2);
        add(Graphs.counts("q", Optional.empty(), null, "src_addr"));
        Query successor = Graphs.counts("q", Optional.empty(), null, "proto");
        assertTrue(refusedUntilReplaced(successor, STEP_BYTES) > 0);
        int rows = old.size();
        aSecond();
        aSecond();
        assertTrue(old.size() <= rows + 2, old.toString());
        assertEquals(2, engine.attachedStates());
        assertTrue(next.size() > 0);
    }

    @Test
    void rowsOfRows() {
        start(2);
        Query read = Graphs.counts("read", Graphs.tumble(0.5), null, "src_addr");
        engine.add(Run.compile(read), batch -> {});
        Query over = Graphs.counts("q", Graphs.rowsOf(read), "n", Graphs.tumble(1), null);
        add(over);
        Query successor =
                Graphs.counts("q", Graphs.rowsOf(read), "n", Graphs.tumble(1), null, "src_addr");
        assertEquals(4, refusedUntilReplaced(successor, STEP_BYTES));
        goesOn(2);
    }

    /** Awake, and replaced by one with the same condition: it is awake, too. */
    @Test
    void oneThatIsAwake() {
        start(2);
        Query waker = Graphs.counts("waker", Graphs.tumble(0.5), null);
        engine.add(Run.compile(waker), batch -> {});
        add(Graphs.counts("q", Graphs.tumble(1), Graphs.when(waker, 0, null, null), "src_addr"));
        aSecond();
        aSecond();
        aSecond();
        assertEquals(4, engine.attachedStates());
        Query successor =
                Graphs.counts("q", Graphs.tumble(1), Graphs.when(waker, 0, null, null), "proto");
        assertEquals(8, refusedUntilReplaced(successor, STEP_BYTES));
        goesOn(4);
    }

    /** Whoever cannot replace it, and does not want it any more. */
    @Test
    void oneThatIsRetired() {
        start(2);
        Query q = counts(1, "src_addr");
        add(q);
        Query over = Graphs.counts("sums", Graphs.rowsOf(q), "n", Graphs.tumble(1), null);
        engine.add(Run.compile(over), batch -> take(batch, next));
        aSecond();
        tiny.write(PACKETS, second * SECOND_NS + 1);
        tiny.pass(second * SECOND_NS + 2);
        engine.retire("q");
        engine.retire("q");
        tiny.pass(second * SECOND_NS + 3);
        tiny.write(PACKETS, second * SECOND_NS + 4);
        tiny.pass((second + 3) * SECOND_NS);
        tiny.pass((second + 4) * SECOND_NS);
        assertEquals(List.of("1 s: " + PACKETS, "2 s: " + PACKETS), old);
        assertEquals(0, engine.attachedStates());
        engine.drop("sums");
        assertThrows(WeirException.class, () -> engine.drop("q"));
    }
}
