package io.weir.operators.result;

import io.weir.operators.account.Counter;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.operators.time.Stopwatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A query in the result stage: its activations and the receivers of its rows. */
public final class ResultQuery {
    private final CompiledQuery code;
    private final List<RowSink> sinks = new ArrayList<>();
    private final QueryReaders readers = new QueryReaders();
    private final List<Activation> activations = new ArrayList<>();
    private final RowsClock clock;
    private final List<TableReading> tableReadings = new ArrayList<>();
    private final Counter rowsMade = new Counter();
    private final Counter rowsNs = new Counter();
    private PartialExporter exporter;
    private boolean replaced;

    /** The reason why a version that has a successor makes no more rows; otherwise null. */
    private WeirException lost;

    public ResultQuery(CompiledQuery code) {
        this.code = code;
        clock = new RowsClock(code.query());
        int inputs = Math.max(1, code.query().scan().queries().size());
        for (int input = 0; input < inputs; input++) {
            tableReadings.add(new TableReading(code, input, activations, readers));
        }
    }

    public CompiledQuery code() {
        return code;
    }

    public String name() {
        return code.query().name();
    }

    /** Sends the query's windows there instead of making rows here. */
    public void leaveBy(PartialExporter way) {
        exporter = way;
    }

    /**
     * Changes, from the next window on, whether rows are made here or windows are sent on.
     *
     * @param way null if rows are made here, for this sink alone
     */
    public void moveTo(PartialExporter way, RowSink sink) {
        exporter = way;
        sinks.clear();
        sinks.add(sink);
    }

    /** Returns the rows that were made here. Any thread. */
    public long rowsMade() {
        return rowsMade.value();
    }

    /** Returns the time that merging, finishing and giving them out took. Any thread. */
    public long rowsNs() {
        return rowsNs.value();
    }

    public boolean leaves() {
        return exporter != null;
    }

    /** Adds a sink, which takes rows out of the engine. */
    public void addSink(RowSink sink) {
        sinks.add(sink);
    }

    /** Adds a reader inside the engine: a condition of WHEN, or a query over this one. */
    public void addReader(RowSink reader) {
        readers.add(reader);
    }

    public void removeReader(RowSink reader) {
        readers.remove(reader);
    }

    /** Adds an upstream query. This query learns from it how far the rows have come. */
    public void reads(ResultQuery upstream) {
        clock.follow(upstream.clock);
        tableReadings.forEach(one -> one.follow(upstream.tableReadings.get(0)));
    }

    /** Follows the successor of an upstream query. */
    public void reads(ResultQuery old, ResultQuery successor) {
        clock.follow(old.clock, successor.clock);
    }

    /** Adds a reader that takes the rows as a keyed table. */
    public void addTableReader(TableReader reader) {
        readers.add(reader);
    }

    public void removeTableReader(TableReader reader) {
        readers.remove(reader);
    }

    /**
     * Returns this query as a reader of keyed tables.
     *
     * @param input of its scan, from 0
     */
    public TableReader asTableReader(int input) {
        return tableReadings.get(input);
    }

    /**
     * Returns whether conditions or queries want its totals at each tick, for finite inputs too.
     */
    public boolean wantsTicks() {
        return readers.wantTicks();
    }

    /**
     * Returns the time up to which its whole input has come, when packets have come to {@code
     * packetsNs}.
     */
    public long inputNs(long packetsNs) {
        return clock.inputNs(packetsNs);
    }

    /** Returns the packet time at which the window with this end is complete. */
    public long knownNs(long windowEndNs) {
        return clock.knownNs(windowEndNs);
    }

    /** Moves its readers to the successor. They still get the rows that this one has to emit. */
    void replacedBy(ResultQuery successor) {
        retired();
        succeededBy(successor);
    }

    /** Notes that only open windows are left of it. */
    void retired() {
        replaced = true;
    }

    /** Moves its readers as above, but this query is not removed by itself. */
    void succeededBy(ResultQuery successor) {
        successor.readers.addAll(readers);
    }

    /** Returns whether only open windows were left of it, mostly because it has a successor. */
    public boolean isReplaced() {
        return replaced;
    }

    public void activate(Activation activation) {
        activations.add(activation);
    }

    /** Returns the activations, oldest first. It is empty while a query with WHEN sleeps. */
    public List<Activation> activations() {
        return activations;
    }

    /**
     * Returns a reader that feeds rows to all activations of this query.
     *
     * @param input of its scan, from 0
     */
    public RowSink asReader(int input) {
        return batch -> {
            for (Activation activation : activations) {
                activation.input().rows(input, batch);
            }
        };
    }

    /**
     * Emits the activation's earliest window.
     *
     * @return the window for whose rows there is no memory, if there is one
     */
    Optional<RowlessWindow> emit(Activation activation) {
        Stopwatch took = Stopwatch.started();
        Optional<RowlessWindow> rowless = emitFirst(activation);
        rowsNs.add(took.ns());
        return rowless;
    }

    private Optional<RowlessWindow> emitFirst(Activation activation) {
        long processed = activation.firstProcessed();
        if (lost != null) {
            activation.discardFirst();
            return Optional.of(unmade(activation, lost, processed));
        }
        WindowMerger.Taken taken;
        try {
            if (exporter != null) {
                activation.departFirst(exporter, replaced);
                return Optional.empty();
            }
            taken = activation.takeFirst();
        } catch (WeirException failure) {
            if (isForWantOfRoom(failure) || failure.code() == ErrorCode.BUDGET_EXCEEDED) {
                return Optional.of(unmade(activation, failure, processed));
            }
            throw failure;
        }
        give(taken, activation);
        return Optional.empty();
    }

    private static boolean isForWantOfRoom(WeirException failure) {
        return failure.code() == ErrorCode.OUT_OF_NATIVE_MEMORY
                || failure.code() == ErrorCode.TOO_MANY_STRINGS;
    }

    private RowlessWindow unmade(Activation activation, WeirException why, long packets) {
        if (replaced) {
            tellReaders(activation);
        }
        // Totals that are counted twice are reported once.
        return new RowlessWindow(why, activation.output() == Receivers.READERS ? 0 : packets);
    }

    /**
     * Nobody knows how many packets the readers' next rows lack. They only know that the rows are
     * not whole.
     */
    private void tellReaders(Activation activation) {
        try (RowBatch none = new RowBatch(code.query(), code.rowLayout(), 0, 0, 0, null)) {
            none.completeness(0);
            if (activation.output() != Receivers.SINKS) {
                readers.rows(none);
            }
        }
    }

    private void give(WindowMerger.Taken taken, Activation activation) {
        boolean ticks = activation.merger().hasTotals();
        boolean whole = ticks && QueryShape.tellsWholeTable(code.query());
        // A query that passes a table's changes on passes the table on separately.
        boolean once = code.query().scan().combinesTables() && readers.readTable();
        boolean read = code.query().aggregate().isPresent() && readers.readTable() || once;
        try (RowBatch rows = taken.rows();
                RowBatch table = table(taken, activation, whole || read, once)) {
            boolean depends = QueryShape.dependsOnOthers(code.query());
            RowBatch told = whole && table != null ? table : rows;
            give(told, depends ? told : rows, activation);
            if (table != null) {
                readers.table(table, activation.output());
            } else if (read) {
                readers.unmade(rows.windowEndNs(), activation.output());
            }
        }
    }

    /**
     * Returns null if it is not wanted, or if there is no memory for it.
     *
     * @param once whether the rows are the whole table, which comes once
     */
    private static RowBatch table(
            WindowMerger.Taken taken, Activation activation, boolean wanted, boolean once) {
        try {
            if (!wanted || once) {
                return wanted ? taken.rows() : null;
            }
            return activation.table(taken);
        } catch (WeirException noMemory) {
            if (isForWantOfRoom(noMemory)) {
                return null;
            }
            throw noMemory;
        }
    }

    private void give(RowBatch told, RowBatch read, Activation activation) {
        if (told.rows() > 0 && activation.output() != Receivers.READERS) {
            told.knownNs(knownNs(told.windowEndNs()));
            rowsMade.add(told.rows());
            sinks.forEach(sink -> sink.rows(told));
        }
        if (read.rows() > 0 && activation.output() != Receivers.SINKS) {
            read.knownNs(knownNs(read.windowEndNs()));
            readers.rows(read);
        }
    }

    /** Tells the receiver of its windows which activations go on. */
    void tellRenewed() {
        for (int a = 0; exporter != null && a < activations.size(); a++) {
            if (activations.get(a).isRenewed()) {
                exporter.renewed(activations.get(a).departing());
            }
        }
    }

    /**
     * Notes that the query is removed with all open windows. The receiver of its windows is told.
     */
    public void failed() {
        if (exporter != null) {
            exporter.failed(activations.stream().map(Activation::departing).toList());
        }
    }

    /**
     * Notes that there is no memory for the rest of a version with a successor. Its readers go on.
     */
    public void lose(WeirException why) {
        failed();
        exporter = null;
        lost = why;
    }

    /**
     * Notes that the activation has emitted all windows.
     *
     * @return its packets that are in no window, if they are lost
     */
    Optional<RowlessWindow> ended(Activation activation) {
        if (exporter != null) {
            exporter.ended(activation.departing());
        }
        long open = activation.merger().processedInNoWindow();
        activation.close();
        return lost == null || open == 0
                ? Optional.empty()
                : Optional.of(unmade(activation, lost, open));
    }
}
