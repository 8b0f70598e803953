package io.weir.cluster.protocol;

import io.weir.cluster.protocol.wire.RowBlocks;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.RowTime;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Activation;
import io.weir.operators.result.ReadMark;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.rows.RowSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The journal of rows that a query over rows has read into unreported windows. A successor of this
 * process reads them again. Beyond a bound the earliest are removed; then a start reports that
 * windows lack them. The merge's thread.
 */
final class RowsLog {
    private static final int BLOCK_BYTES = 256 << 10;

    private final MergeJournal.ReaderId id;
    private final ResultQuery result;
    private final List<RowSink> sinks = new ArrayList<>();
    private final long mostBytes;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private MergeJournal journal;
    private long next;
    private long bytes;
    private long lacksUntilNs = Long.MIN_VALUE;

    private record Entry(long number, long neededUntilNs, int bytes) {}

    /** The stored state of a query, until the query is there. */
    static final class Kept {
        private MergeJournal.ReaderMark mark;
        private final List<MergeJournal.ReadRows> rows = new ArrayList<>();
        private boolean unread;

        /** Notes that some of its rows cannot be read. */
        void unread() {
            unread = true;
        }

        void mark(MergeJournal.ReaderMark kept) {
            mark = kept;
        }

        void rows(MergeJournal.ReadRows kept) {
            rows.add(kept);
        }

        boolean isOf(long passedNs) {
            return mark != null && mark.passedNs() == passedNs;
        }

        boolean hasEnded() {
            return mark != null && mark.ended();
        }
    }

    /**
     * @param mostBytes of rows that are stored
     */
    RowsLog(MergeJournal.ReaderId id, ResultQuery result, long mostBytes, MergeJournal journal) {
        this.id = id;
        this.result = result;
        this.mostBytes = mostBytes;
        this.journal = journal;
        for (int input = 0; input < result.code().query().scan().queries().size(); input++) {
            sinks.add(sink(input));
        }
    }

    MergeJournal.ReaderId id() {
        return id;
    }

    void keepIn(MergeJournal keeper) {
        journal = keeper;
    }

    /** Returns the reader of one input of the query's scan, always the same. */
    RowSink input(int input) {
        return sinks.get(input);
    }

    private RowSink sink(int input) {
        RowSink reader = result.asReader(input);
        return batch -> {
            if (!result.activations().isEmpty()) {
                keep(input, batch);
            }
            reader.rows(batch);
        };
    }

    private void keep(int input, RowBatch batch) {
        long timeNs = timeNs(input, batch);
        long advancedNs = Long.MIN_VALUE;
        long neededNs = Long.MIN_VALUE;
        for (Activation activation : result.activations()) {
            advancedNs = Math.max(advancedNs, activation.rowsAdvancedNs());
            neededNs = Math.max(neededNs, activation.neededUntilNs(timeNs));
        }
        for (byte[] block : RowBlocks.write(batch, BLOCK_BYTES)) {
            Entry entry = new Entry(next++, neededNs, block.length);
            entries.add(entry);
            bytes += block.length;
            journal.read(
                    id,
                    new MergeJournal.ReadRows(entry.number, advancedNs, neededNs, block, input));
        }
        while (bytes > mostBytes) {
            lacksUntilNs = Math.max(lacksUntilNs, removeFirst());
        }
    }

    /** Returns the latest event time of its rows. */
    private long timeNs(int input, RowBatch batch) {
        Operator.Scan scan = result.code().query().scan();
        if (scan.join().isPresent()) {
            Combination.Join join = scan.join().get();
            Combination.Side side = input == 0 ? join.left() : join.right();
            long sizeNs = side.reads() == RowTime.WINDOW_START ? side.sizeNs() - 1 : 0;
            return timeNs(batch, side.time(), side.reads().shiftNs() + sizeNs);
        }
        return timeNs(batch, scan.time(), scan.reads().shiftNs());
    }

    private static long timeNs(RowBatch batch, String time, long shiftNs) {
        int column = batch.layout().indexOf(time);
        if (column < 0) {
            return batch.windowEndNs() - 1;
        }
        long timeNs = Long.MIN_VALUE + 1;
        for (int row = 0; row < batch.rows(); row++) {
            timeNs = Math.max(timeNs, batch.word(row, column));
        }
        return timeNs + shiftNs;
    }

    private long removeFirst() {
        Entry first = entries.remove();
        bytes -= first.bytes;
        journal.notNeeded(id, first.number);
        return first.neededUntilNs;
    }

    /** Notes that the windows due by this time were reported. */
    void passed(long watermarkNs, long passedNs) {
        boolean none = result.activations().isEmpty();
        long readNs = result.inputNs(watermarkNs);
        while (!entries.isEmpty() && (none || entries.peek().neededUntilNs <= readNs)) {
            removeFirst();
        }
        mark(passedNs, watermarkNs == Long.MAX_VALUE);
    }

    void mark(long passedNs, boolean ended) {
        List<ReadMark> marks = new ArrayList<>();
        result.activations().forEach(activation -> marks.add(activation.readMark()));
        journal.reader(id, new MergeJournal.ReaderMark(passedNs, lacksUntilNs, ended, marks));
    }

    /**
     * Continues from the stored state. Its activations are those of the last process, and have the
     * rows that it had read. Reported windows are not reported again.
     *
     * @param kept null if nothing was stored
     * @param passedNs the time that had passed when the last process ended
     * @param again makes an activation
     * @return whether rows that it had read are lost
     */
    boolean resume(
            Kept kept,
            long passedNs,
            Resuming again,
            List<RowLayout> known,
            NativeAllocator memory) {
        boolean whole;
        if (kept != null && kept.isOf(passedNs)) {
            activate(kept.mark.activations(), again);
            whole = reread(kept, layouts(known), memory);
        } else {
            // An earlier release had it, which stores nothing, or it was created while no task ran.
            whole = passedNs == Long.MIN_VALUE;
            journal.readerGone(id);
        }
        for (Activation activation : result.activations()) {
            long openNs = whole ? Long.MIN_VALUE : activation.neededUntilNs(passedNs);
            lacksUntilNs = Math.max(lacksUntilNs, openNs);
        }
        mark(passedNs, kept != null && kept.hasEnded());
        boolean lost = lacksUntilNs > passedNs && !result.activations().isEmpty();
        if (lost) {
            result.activations().forEach(activation -> activation.lacks(lacksUntilNs));
        }
        return lost;
    }

    /** Makes an activation. */
    @FunctionalInterface
    interface Resuming {
        void activate(ActiveInterval gate, long activeFromNs);
    }

    /** Removes activations that have ended, and makes those that nobody else has woken. */
    private void activate(List<ReadMark> marks, Resuming again) {
        List<Activation> all = result.activations();
        for (Activation activation : List.copyOf(all)) {
            if (marks.stream().noneMatch(m -> m.fromNs() == activation.gate().fromNs())) {
                all.remove(activation);
                activation.close();
            }
        }
        for (ReadMark mark : marks) {
            if (find(mark) == null) {
                again.activate(
                        new ActiveInterval(mark.fromNs(), mark.untilNs()), mark.activeFromNs());
            }
        }
    }

    private Activation find(ReadMark mark) {
        for (Activation activation : result.activations()) {
            if (activation.gate().fromNs() == mark.fromNs()) {
                return activation;
            }
        }
        return null;
    }

    /** Returns whether all rows can be read. */
    private boolean reread(
            Kept kept, Map<List<Expr.Variable>, RowLayout> layouts, NativeAllocator memory) {
        boolean all = !kept.unread;
        kept.rows.sort((one, other) -> Long.compare(one.number(), other.number()));
        for (MergeJournal.ReadRows rows : kept.rows) {
            entries.add(new Entry(rows.number(), rows.neededUntilNs(), rows.block().length));
            bytes += rows.block().length;
            next = rows.number() + 1;
            try (RowBatch batch =
                    RowBlocks.read(
                            rows.block(),
                            result.code().query(),
                            columns -> layouts.computeIfAbsent(columns, RowLayout::new),
                            memory)) {
                result.activations().forEach(a -> a.reread(rows.input(), batch, rows.advancedNs()));
            } catch (WeirException unreadable) {
                all = false;
            }
        }
        lacksUntilNs = kept.mark.lacksUntilNs();
        kept.mark.activations().forEach(mark -> find(mark).resume(mark));
        return all;
    }

    /** Returns the layouts of the existing versions, so that their kernels can be used. */
    private static Map<List<Expr.Variable>, RowLayout> layouts(List<RowLayout> known) {
        Map<List<Expr.Variable>, RowLayout> layouts = new HashMap<>();
        known.forEach(layout -> layouts.put(layout.columns(), layout));
        return layouts;
    }

    /** Notes that the query is gone. */
    void drop() {
        journal.readerGone(id);
    }
}
