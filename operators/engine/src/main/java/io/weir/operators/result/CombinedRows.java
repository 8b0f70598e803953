package io.weir.operators.result;

import io.weir.operators.graph.Combination;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Rows of several queries that wait until all rows of their time have come. Rows of a join wait for
 * their window, and totals for the end. A row's time is the last instant of its window. The
 * results' thread.
 */
final class CombinedRows implements AutoCloseable {
    private final CompiledQuery code;
    private final NativeAllocator allocator;
    private final List<HeldRows> inputs;
    private final Optional<Combination.Join> join;
    private final long mostBytes;
    private RowPairs pairs;

    private CombinedRows(CompiledQuery code, long mostBytes, NativeAllocator allocator) {
        this.code = code;
        this.mostBytes = mostBytes;
        this.allocator = allocator;
        join = code.query().scan().join();
        inputs =
                join.map(j -> List.of(new HeldRows(j.left()), new HeldRows(j.right())))
                        .orElseGet(
                                () ->
                                        code.query().scan().queries().stream()
                                                .map(query -> HeldRows.ofTable())
                                                .toList());
    }

    /** Returns the waiting rows of a query; null if its rows need not wait. */
    static CombinedRows of(CompiledQuery code, long mostBytes, NativeAllocator allocator) {
        boolean waits =
                code.query().scan().join().isPresent() || code.query().scan().combinesTables();
        return waits ? new CombinedRows(code, mostBytes, allocator) : null;
    }

    /** Returns whether all rows come at the end of the input. */
    boolean comesOnce() {
        return code.query().scan().combinesTables();
    }

    /**
     * Takes rows of one input, which the caller keeps.
     *
     * @return how many rows found no room
     */
    long rows(int input, RowBatch batch) {
        return inputs.get(input).add(batch, mostBytes - bytes(), allocator);
    }

    /** Takes a whole table in place of the one that this input had. */
    long table(int input, RowBatch table) {
        inputs.get(input).clear();
        return rows(input, table);
    }

    private long bytes() {
        long bytes = 0;
        for (HeldRows input : inputs) {
            bytes += input.bytes();
        }
        return bytes;
    }

    /** Passes on all rows of times before this one. */
    void advance(long timeNs, Consumer<RowBatch> out) {
        TreeSet<Long> due = new TreeSet<>();
        inputs.forEach(input -> due.addAll(input.timesBefore(timeNs)));
        for (long dueNs : due) {
            if (join.isPresent()) {
                join(dueNs, out);
            } else {
                for (HeldRows input : inputs) {
                    input.at(dueNs).forEach(out);
                }
            }
            inputs.forEach(input -> input.remove(dueNs));
        }
    }

    private void join(long timeNs, Consumer<RowBatch> out) {
        if (pairs == null) {
            pairs = new RowPairs(code, join.orElseThrow(), allocator);
        }
        pairs.join(timeNs, inputs.get(0).at(timeNs), inputs.get(1).at(timeNs), out);
    }

    @Override
    public void close() {
        inputs.forEach(HeldRows::clear);
    }

    /** The waiting rows of one input, by their time. */
    private static final class HeldRows {
        private final RowTimes times;
        private final TreeMap<Long, List<RowBatch>> byTime = new TreeMap<>();
        private long bytes;

        HeldRows(Combination.Side side) {
            times = new RowTimes(side);
        }

        private HeldRows() {
            times = null;
        }

        static HeldRows ofTable() {
            return new HeldRows();
        }

        long bytes() {
            return bytes;
        }

        /** Returns how many rows found no room. */
        long add(RowBatch batch, long roomBytes, NativeAllocator allocator) {
            if (batch.rows() == 0) {
                return 0;
            } else if ((long) batch.rows() * batch.layout().strideBytes() > roomBytes) {
                return batch.rows();
            }
            List<RowBatch> copies =
                    times == null ? List.of(batch.copy(allocator)) : times.split(batch, allocator);
            for (RowBatch copy : copies) {
                long timeNs = copy.windowEndNs() - 1;
                byTime.computeIfAbsent(timeNs, t -> new ArrayList<>()).add(copy);
                bytes += copy.bytes();
            }
            return 0;
        }

        Set<Long> timesBefore(long timeNs) {
            return byTime.headMap(timeNs, false).keySet();
        }

        List<RowBatch> at(long timeNs) {
            return byTime.getOrDefault(timeNs, List.of());
        }

        void remove(long timeNs) {
            List<RowBatch> gone = byTime.remove(timeNs);
            if (gone != null) {
                for (RowBatch batch : gone) {
                    bytes -= batch.bytes();
                    batch.close();
                }
            }
        }

        void clear() {
            List.copyOf(byTime.keySet()).forEach(this::remove);
        }
    }
}
