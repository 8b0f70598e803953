package io.weir.operators.kernel;

import io.weir.operators.interpret.Interpreter.Output;
import io.weir.operators.kernel.RandomPackets.Sent;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.window.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/** Runs a stream through several pipelines' states, cut at random, and merges what they close. */
final class KernelRun {
    /** Room for sketches of every group, each counted at its largest. */
    private static final StateOptions ROOMY = new StateOptions(4L << 30, 0);

    private final CompiledQuery query;
    private final NativeAllocator allocator;
    private final Random random;
    private final RowContext context;
    private final Map<Long, List<Partial>> closed = new TreeMap<>();
    private Function<Partial, List<Partial>> travel = List::of;
    private final Map<Long, Long> starts = new TreeMap<>();
    private final Map<QueryState, Long> lastEnd = new java.util.HashMap<>();
    private final List<QueryState> states = new ArrayList<>();
    private final int longestSegment;

    /** One for all: what one pipeline learns is wrong for the others. */
    private final Sizes sizes = new Sizes();

    KernelRun(CompiledQuery query, NativeAllocator allocator, Random random, RowContext context) {
        this(query, allocator, random, context, 5);
    }

    /**
     * @param longestSegment most GPVs that the kernel is handed at once
     */
    KernelRun(
            CompiledQuery query,
            NativeAllocator allocator,
            Random random,
            RowContext context,
            int longestSegment) {
        this.longestSegment = longestSegment;
        this.query = query;
        this.allocator = allocator;
        this.random = random;
        this.context = context;
    }

    /** What becomes of each partial before it is merged: as many parts each time. */
    KernelRun over(Function<Partial, List<Partial>> way) {
        travel = way;
        return this;
    }

    /** The states that ran, for their counts. */
    List<QueryState> states() {
        return states;
    }

    List<Output> run(List<Sent> stream, ActiveInterval gate, int pipelines, boolean byFlow) {
        for (int p = 0; p < pipelines; p++) {
            states.add(query.newState(allocator, gate, ROOMY, sizes));
        }
        int at = 0;
        while (at < stream.size()) {
            int end = at + 1;
            int most = 1 + random.nextInt(longestSegment);
            int pipeline = pipelineOf(stream.get(at), pipelines, byFlow);
            while (end < stream.size()
                    && end - at < most
                    && fits(stream, at, end)
                    && (!byFlow || pipelineOf(stream.get(end), pipelines, true) == pipeline)) {
                end++;
            }
            QueryState state = states.get(pipeline);
            send(allocator, state, stream.subList(at, end));
            at = end;
            if (random.nextInt(3) == 0) {
                long watermark = leastFrom(stream, at);
                states.forEach(s -> advance(s, watermark - random.nextInt(300_000_000)));
            }
        }
        states.forEach(this::end);
        states.forEach(QueryState::close);
        return finish();
    }

    private int pipelineOf(Sent sent, int pipelines, boolean byFlow) {
        Object flow = sent.gpv().header("src_addr").hashCode() * 31;
        return byFlow ? Math.floorMod(flow.hashCode(), pipelines) : random.nextInt(pipelines);
    }

    private static boolean fits(List<Sent> stream, int at, int next) {
        Sent a = stream.get(at);
        Sent b = stream.get(next);
        return a.gpv().layout().equals(b.gpv().layout()) && a.late() == b.late();
    }

    private static long leastFrom(List<Sent> stream, int at) {
        return stream.subList(at, stream.size()).stream()
                .filter(s -> !s.late())
                .mapToLong(Sent::firstNs)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    static void send(NativeAllocator allocator, QueryState state, List<Sent> segment) {
        long bytes = 0;
        for (Sent sent : segment) {
            bytes += sent.gpv().layout().gpvBytes(sent.gpv().count());
        }
        long address = allocator.allocate(bytes, MemoryTag.TEST);
        long next = address;
        for (Sent sent : segment) {
            sent.gpv().write(next);
            next += sent.gpv().layout().gpvBytes(sent.gpv().count());
        }
        Sent first = segment.get(0);
        int layout = first.gpv().layout().id();
        state.segment(layout, first.flags(), first.node(), address, segment.size());
        allocator.free(address, bytes, MemoryTag.TEST);
    }

    void advance(QueryState state, long watermarkNs) {
        state.advance(watermarkNs);
        state.eachWindow(window -> take(state, window));
    }

    void end(QueryState state) {
        state.finish();
        state.eachWindow(window -> take(state, window));
    }

    private void take(QueryState state, PartialWindow window) {
        long startNs = window.startNs();
        long endNs = window.endNs();
        Partial partial = window.groups();
        if (lastEnd.getOrDefault(state, Long.MIN_VALUE) >= endNs) {
            throw new AssertionError("windows out of order: " + endNs);
        }
        lastEnd.put(state, endNs);
        starts.put(endNs, startNs);
        List<Partial> parts = new ArrayList<>(travel.apply(partial));
        List<Partial> others = closed.remove(endNs);
        boolean first = random.nextBoolean();
        for (int i = 0; others != null && i < parts.size(); i++) {
            Partial mine = parts.get(i);
            Partial other = others.get(i);
            parts.set(i, first ? query.merge(other, mine) : query.merge(mine, other));
        }
        closed.put(endNs, parts);
    }

    List<Output> finish() {
        List<Output> outputs = new ArrayList<>();
        StreamLimit limit = query.newStreamLimit();
        Optional<OverHistory> history = query.newHistory(allocator);
        closed.forEach(
                (endNs, parts) -> {
                    long start = starts.get(endNs);
                    RowContext after = context.after(history);
                    RowBatch batch = query.finish(parts, start, endNs, after, allocator);
                    limit.apply(batch);
                    if (batch.rows() > 0) {
                        outputs.add(new Output(start, endNs, boxed(batch)));
                    }
                    batch.close();
                    parts.forEach(Partial::close);
                });
        history.ifPresent(OverHistory::close);
        return outputs;
    }

    static List<List<Object>> boxed(RowBatch batch) {
        List<List<Object>> rows = new ArrayList<>();
        for (int r = 0; r < batch.rows(); r++) {
            List<Object> row = new ArrayList<>();
            for (int c = 0; c < batch.layout().columns().size(); c++) {
                row.add(batch.value(r, c));
            }
            rows.add(row);
        }
        return rows;
    }
}
