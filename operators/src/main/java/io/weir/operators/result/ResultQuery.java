package io.weir.operators.result;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.CompiledQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A query's place in the result stage: its activations and who takes its rows. */
public final class ResultQuery {
    private final CompiledQuery code;
    private final List<RowSink> sinks = new ArrayList<>();
    private final List<RowSink> readers = new ArrayList<>();
    private final List<TableReader> tableReaders = new ArrayList<>();
    private final List<Activation> activations = new ArrayList<>();
    private final RowsClock clock;
    private final TableReading tableReading;
    private boolean readsTicks;
    private Departure departure;
    private boolean replaced;

    /** Why no more rows are made of a version that has a successor; else null. */
    private WeirException lost;

    public ResultQuery(CompiledQuery code) {
        this.code = code;
        clock = new RowsClock(code.query());
        tableReading = new TableReading(this);
        readsTicks = code.query().when().isPresent();
    }

    public CompiledQuery code() {
        return code;
    }

    public String name() {
        return code.query().name();
    }

    /** Its windows are not made rows of here, but go there. */
    public void leaveBy(Departure way) {
        departure = way;
    }

    /**
     * From the next window on its rows are made here, or its windows leave.
     *
     * @param way null when they are made here, for this sink alone
     */
    public void moveTo(Departure way, RowSink sink) {
        departure = way;
        sinks.clear();
        sinks.add(sink);
    }

    public boolean leaves() {
        return departure != null;
    }

    /** Where rows leave the house. */
    public void addSink(RowSink sink) {
        sinks.add(sink);
    }

    /** Who goes on with the rows inside: conditions of WHEN, queries over this one. */
    public void addReader(RowSink reader) {
        readers.add(reader);
    }

    public void removeReader(RowSink reader) {
        readers.remove(reader);
    }

    /** Whose rows it reads, from now on: how far they have come it learns from that one. */
    public void reads(ResultQuery upstream) {
        clock.follow(upstream.clock);
        readsTicks |= upstream.code.query().aggregate().isEmpty() && upstream.readsTicks;
    }

    /** Who reads its rows as a keyed table. */
    public void addTableReader(TableReader reader) {
        tableReaders.add(reader);
    }

    public void removeTableReader(TableReader reader) {
        tableReaders.remove(reader);
    }

    List<TableReader> tableReaders() {
        return List.copyOf(tableReaders);
    }

    /** As which it reads a keyed table. */
    public TableReader asTableReader() {
        return tableReading;
    }

    /** Whether it counts for a part of the input, and so reads a table as it is in that. */
    boolean readsTicks() {
        return readsTicks;
    }

    /** Whether conditions or queries want its totals at each tick, be the input finite or not. */
    public boolean wantsTicks() {
        return !readers.isEmpty() || tableReaders.stream().anyMatch(TableReader::wantsTicks);
    }

    /** Up to which time all that it reads has come, when packets have come to a time. */
    public long inputNs(long packetsNs) {
        return clock.inputNs(packetsNs);
    }

    /** When its window is known that ends at a time, by the time of packets. */
    public long knownNs(long windowEndNs) {
        return clock.knownNs(windowEndNs);
    }

    /** Its readers read the successor too; what it still has to emit, they get. */
    void replacedBy(ResultQuery successor) {
        retired();
        succeededBy(successor);
    }

    /** Only what is open is left of it. */
    void retired() {
        replaced = true;
    }

    /** The same of one that is not forgotten by itself. */
    void succeededBy(ResultQuery successor) {
        successor.readers.addAll(readers);
        successor.tableReaders.addAll(tableReaders);
    }

    /** Whether only what was open is left of it, mostly since it has a successor. */
    public boolean isReplaced() {
        return replaced;
    }

    public void activate(Activation activation) {
        activations.add(activation);
    }

    /** Oldest first; empty while a query with WHEN sleeps. */
    public List<Activation> activations() {
        return activations;
    }

    /** A reader that feeds the rows to all activations of this query. */
    public RowSink asReader() {
        return batch -> {
            for (Activation activation : activations) {
                activation.rows(batch);
            }
        };
    }

    /**
     * Emits the activation's earliest window.
     *
     * @return what there is no memory to make rows of, where there is none
     */
    Optional<Unmade> emit(Activation activation) {
        long processed = activation.gathering().processed(activation);
        if (lost != null) {
            activation.gathering().discard(activation);
            return Optional.of(unmade(activation, lost, processed));
        }
        Gathering.Taken taken;
        try {
            if (departure != null) {
                activation.gathering().depart(activation, departure, replaced);
                return Optional.empty();
            }
            taken = activation.removeFirst();
        } catch (WeirException failure) {
            if (failure.code() == ErrorCode.OUT_OF_NATIVE_MEMORY) {
                return Optional.of(unmade(activation, failure, processed));
            }
            throw failure;
        }
        give(taken, activation);
        return Optional.empty();
    }

    private Unmade unmade(Activation activation, WeirException why, long packets) {
        if (replaced) {
            tellReaders(activation);
        }
        // Totals that are counted twice are told once.
        return new Unmade(why, activation.output() == Activation.Output.READERS ? 0 : packets);
    }

    /** Nobody knows how many packets their next rows lack: only that these are not whole. */
    private void tellReaders(Activation activation) {
        try (RowBatch none = new RowBatch(code.query(), code.rowLayout(), 0, 0, 0, null)) {
            none.completeness(0);
            if (activation.output() != Activation.Output.SINKS) {
                List.copyOf(readers).forEach(reader -> reader.rows(none));
            }
        }
    }

    private void give(Gathering.Taken taken, Activation activation) {
        boolean ticks = activation.gathering().hasTotals();
        boolean whole = ticks && QueryShape.tellsWholeTable(code.query());
        // What passes a table's changes on passes the table on apart of them.
        boolean read = code.query().aggregate().isPresent() && !tableReaders.isEmpty();
        try (RowBatch rows = taken.rows();
                RowBatch table = whole || read ? table(taken, activation) : null) {
            boolean limited = QueryShape.isLimited(code.query());
            RowBatch told = whole && table != null ? table : rows;
            give(told, limited ? told : rows, activation);
            if (table != null) {
                tableReaders().forEach(reader -> reader.table(table, activation.output()));
            } else if (read) {
                long endNs = rows.windowEndNs();
                tableReaders().forEach(reader -> reader.unmade(endNs, activation.output()));
            }
        }
    }

    /** Null where there is no memory for it. */
    private static RowBatch table(Gathering.Taken taken, Activation activation) {
        try {
            return activation.gathering().table(activation, taken);
        } catch (WeirException noMemory) {
            if (noMemory.code() == ErrorCode.OUT_OF_NATIVE_MEMORY) {
                return null;
            }
            throw noMemory;
        }
    }

    private void give(RowBatch told, RowBatch read, Activation activation) {
        if (told.rows() > 0 && activation.output() != Activation.Output.READERS) {
            told.knownNs(knownNs(told.windowEndNs()));
            sinks.forEach(sink -> sink.rows(told));
        }
        if (read.rows() > 0 && activation.output() != Activation.Output.SINKS) {
            read.knownNs(knownNs(read.windowEndNs()));
            // One that is woken, and cannot begin, is removed.
            List.copyOf(readers).forEach(reader -> reader.rows(read));
        }
    }

    /** Who merges its windows hears which activations go on. */
    void tellRenewed() {
        for (int a = 0; departure != null && a < activations.size(); a++) {
            if (activations.get(a).isRenewed()) {
                departure.renewed(activations.get(a).departing());
            }
        }
    }

    /** It is removed with what it still had to emit; whoever merges its windows hears of that. */
    public void failed() {
        if (departure != null) {
            departure.failed(activations.stream().map(Activation::departing).toList());
        }
    }

    /** It has a successor, and no memory for what is left of it; who reads it goes on. */
    public void lose(WeirException why) {
        failed();
        departure = null;
        lost = why;
    }

    /**
     * The activation has emitted all that it had.
     *
     * @return what came of it in no window, where it was to be lost
     */
    Optional<Unmade> ended(Activation activation) {
        if (departure != null) {
            departure.ended(activation.departing());
        }
        long open = activation.gathering().processedInNoWindow();
        activation.close();
        return lost == null || open == 0
                ? Optional.empty()
                : Optional.of(unmade(activation, lost, open));
    }
}
