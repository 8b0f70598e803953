package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Time, bounds and ticks of a query's state. */
class QueryStateTest {
    private static final GpvLayout LAYOUT = GpvLayout.FULL_V4;
    private static final long SECOND = 1_000_000_000L;
    private static final long START = RandomPackets.START_NS;

    private final NativeAllocator allocator = new NativeAllocator(1L << 30);
    private final List<String> closed = new ArrayList<>();
    private CompiledQuery query;

    @AfterEach
    void nothingLeaks() {
        allocator.close();
    }

    private QueryState state(Optional<Window> window, StateOptions options, String... keys) {
        Query plan =
                TestQueries.groups(
                        LAYOUT,
                        Optional.empty(),
                        window,
                        List.of(keys),
                        TestQueries.count("packets"),
                        TestQueries.call(
                                "most", Folds.max(Kind.BIGINT), TestQueries.column("bytes")));
        query = KernelCompiler.compile(plan, List.of(LAYOUT));
        return query.newState(allocator, new ActiveInterval(), options);
    }

    private void advance(QueryState state, long watermarkNs) {
        state.advance(watermarkNs);
        state.eachWindow(this::show);
    }

    private void finish(QueryState state) {
        state.finish();
        state.eachWindow(this::show);
    }

    private void show(PartialWindow window) {
        show(window.startNs(), window.endNs(), window.groups());
    }

    private void show(long startNs, long endNs, Partial partial) {
        try (RowBatch rows = query.finish(partial, startNs, endNs, RowContext.WHOLE, allocator)) {
            String end = endNs == Long.MAX_VALUE ? "end" : (endNs - START) / SECOND + "s";
            closed.add(end + " " + KernelRun.boxed(rows));
        }
        partial.close();
    }

    private void packet(QueryState state, long atNs, int source, long bytes, boolean late) {
        RandomGpv gpv =
                new RandomGpv(new Random(1), LAYOUT, 1, atNs)
                        .with("src_addr", Inet.v4(source))
                        .with("bytes", new long[] {bytes});
        long size = LAYOUT.gpvBytes(1);
        long address = allocator.allocate(size, MemoryTag.TEST);
        gpv.write(address);
        int flags = late ? BlockLayout.SEGMENT_FLAG_LATE : 0;
        state.segment(LAYOUT.id(), flags, 0, address, 1);
        allocator.free(address, size, MemoryTag.TEST);
    }

    @Test
    void farJumpsInTimeCloseNoEmptyWindows() {
        try (QueryState state =
                state(Optional.of(new Window(3 * SECOND, SECOND)), StateOptions.DEFAULT)) {
            packet(state, START, 1, 7, false);
            packet(state, START + 30_000_000 * SECOND, 1, 8, false);
            advance(state, START + 30_000_000 * SECOND);
            assertEquals(List.of("1s [[1, 7]]", "2s [[1, 7]]", "3s [[1, 7]]"), closed);
            finish(state);
            assertEquals(6, closed.size());
        }
    }

    @Test
    void latePacketsAreLeftOutOfWindowsAndCounted() {
        try (QueryState state = state(Optional.of(Window.tumble(SECOND)), StateOptions.DEFAULT)) {
            packet(state, START + 5 * SECOND, 1, 7, false);
            packet(state, START, 1, 9, true);
            advance(state, START + 5 * SECOND);
            packet(state, START + 4 * SECOND, 1, 9, false);
            assertEquals(2, state.packetsLate());
            assertEquals(1, state.packetsProcessed());
            finish(state);
            assertEquals(List.of("6s [[1, 7]]"), closed);
        }
    }

    @Test
    void totalsCountLatePacketsToo() {
        try (QueryState state = state(Optional.empty(), StateOptions.DEFAULT, "src_addr")) {
            packet(state, START + 5 * SECOND, 1, 7, false);
            packet(state, START, 2, 9, true);
            finish(state);
            assertEquals(List.of("end [[0.0.0.1, 1, 7], [0.0.0.2, 1, 9]]"), closed);
            assertEquals(0, state.packetsLate());
        }
    }

    @Test
    void aTotalWithoutKeysHasARowEvenWhenNothingCame() {
        try (QueryState state = state(Optional.empty(), StateOptions.DEFAULT)) {
            finish(state);
            finish(state);
            assertEquals(List.of("end [[0, null]]"), closed);
        }
        closed.clear();
        try (QueryState state = state(Optional.of(Window.tumble(SECOND)), StateOptions.DEFAULT)) {
            finish(state);
            assertEquals(List.of(), closed);
        }
    }

    @Test
    void timesOutOfAllBoundsAreRefused() {
        try (QueryState state = state(Optional.of(Window.tumble(SECOND)), StateOptions.DEFAULT)) {
            packet(state, Long.MAX_VALUE - 1, 1, 7, false);
            packet(state, Long.MIN_VALUE, 1, 7, false);
            finish(state);
            assertEquals(List.of(), closed);
            assertEquals(2, state.packetsStateFull());
        }
    }

    @Test
    void groupsBeyondTheBoundAreCounted() {
        StateOptions small = new StateOptions(1 << 16, 0);
        try (QueryState state = state(Optional.empty(), small, "src_addr")) {
            for (int source = 0; source < 5_000; source++) {
                packet(state, START, source, 1, false);
            }
            assertTrue(state.packetsStateFull() > 0);
            assertEquals(5_000, state.packetsProcessed() + state.packetsStateFull());
            assertTrue(state.stateBytes() <= 1 << 16, state.stateBytes() + " bytes");
            finish(state);
        }
    }

    @Test
    void countsThatCannotBeCarriedAreLostAndSaySo() {
        GpvLayout layout = GpvLayout.of("flow32", 4).orElseThrow();
        Query plan =
                TestQueries.groups(
                        layout,
                        Optional.empty(),
                        Optional.empty(),
                        List.of("src_addr"),
                        TestQueries.count("packets"));
        query = KernelCompiler.compile(plan, List.of(layout));
        int count = 0xffff;
        long address = allocator.allocate(layout.gpvBytes(count), MemoryTag.TEST);
        new RandomGpv(new Random(1), layout, count, START).write(address);
        long fed = 0;
        try (QueryState whole =
                        query.newState(allocator, new ActiveInterval(), StateOptions.DEFAULT);
                // Room for a batch and the first table, and no more.
                NativeAllocator small = new NativeAllocator(17_500);
                QueryState bounded =
                        query.newState(small, new ActiveInterval(), StateOptions.DEFAULT)) {
            for (; fed < (1L << 32) + 5L * count; fed += count) {
                whole.segment(layout.id(), 0, 0, address, 1);
                bounded.segment(layout.id(), 0, 0, address, 1);
            }
            assertEquals(0, whole.packetsStateFull());
            assertEquals(fed, whole.packetsProcessed());
            finish(whole);
            assertTrue(closed.get(0).contains(" " + fed + "]"), closed.get(0));
            assertEquals(1L << 32, bounded.packetsStateFull());
            assertEquals(fed - (1L << 32), bounded.packetsProcessed());
            bounded.finish();
            bounded.eachWindow(window -> window.groups().close());
        } finally {
            allocator.free(address, layout.gpvBytes(count), MemoryTag.TEST);
        }
    }

    @Test
    void openPanesAreBounded() {
        StateOptions small = new StateOptions(1 << 16, 0);
        try (QueryState state = state(Optional.of(Window.tumble(SECOND)), small, "src_addr")) {
            for (int pane = 0; pane < 1_000; pane++) {
                packet(state, START + pane * SECOND, 1, 1, false);
            }
            assertTrue(state.packetsStateFull() > 0);
            assertEquals(1_000, state.packetsProcessed() + state.packetsStateFull());
        }
    }

    @Test
    void ticksEmitTheTotalsOfTheGroupsThatChanged() {
        List<Partial> changes = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        StateOptions ticks = new StateOptions(1 << 20, SECOND);
        state(Optional.empty(), ticks, "src_addr").close();
        Consumer<PartialWindow> taker =
                window -> {
                    changes.add(window.groups());
                    ends.add(window.endNs());
                };
        try (QueryState state = query.newState(allocator, new ActiveInterval(), ticks);
                RunningTotals totals = query.newTotals(allocator, ticks)) {
            packet(state, START, 1, 7, false);
            packet(state, START, 2, 3, false);
            state.advance(START + SECOND);
            state.eachWindow(taker);
            packet(state, START + SECOND, 1, 5, false);
            packet(state, START - SECOND, 1, 9, true);
            state.finish();
            state.eachWindow(taker);
            for (int i = 0; i < changes.size(); i++) {
                show(Long.MIN_VALUE, ends.get(i), totals.add(changes.get(i)));
            }
            assertEquals(
                    List.of("1s [[0.0.0.1, 1, 7], [0.0.0.2, 1, 3]]", "2s [[0.0.0.1, 3, 9]]"),
                    closed);
        }
    }
}
