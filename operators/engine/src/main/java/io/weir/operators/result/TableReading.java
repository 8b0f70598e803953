package io.weir.operators.result;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lets a query read a keyed table. It gives the table to the query's activations. A query that only
 * projects gives the projected table to its own readers instead. The results' thread.
 */
final class TableReading implements TableReader {
    private final int input;

    /** True if it reads each of several tables once, at the end. */
    private final boolean once;

    private final boolean projects;
    private final List<Activation> activations;
    private final QueryReaders readers;

    /**
     * True if the query counts only a part of the input, and so reads a table as it is at that
     * time.
     */
    private boolean readsTicks;

    /**
     * @param input of the query's scan, from 0
     * @param activations the query's; the caller keeps the list
     * @param readers the query's
     */
    TableReading(
            CompiledQuery code, int input, List<Activation> activations, QueryReaders readers) {
        this.input = input;
        this.activations = activations;
        this.readers = readers;
        once = code.query().scan().combinesTables();
        projects = code.query().aggregate().isEmpty() && !once;
        readsTicks = code.query().when().isPresent();
    }

    /** Sets the upstream query, which perhaps passes a table on. */
    void follow(TableReading upstream) {
        readsTicks |= upstream.projects && upstream.readsTicks;
    }

    @Override
    public void table(RowBatch table, Receivers by) {
        each(by, activation -> take(activation, table, by));
    }

    private void take(Activation activation, RowBatch table, Receivers by) {
        if (!projects) {
            activation.input().table(input, table);
        } else if (activation.isActive(table.windowEndNs()) && readers.readTable()) {
            pass(activation, table, by);
        }
    }

    private void pass(Activation activation, RowBatch table, Receivers by) {
        try (RowBatch mine = activation.input().project(table)) {
            readers.table(mine, by);
        } catch (WeirException noMemory) {
            if (noMemory.code() != ErrorCode.OUT_OF_NATIVE_MEMORY) {
                throw noMemory;
            }
            readers.unmade(table.windowEndNs(), by);
        }
    }

    @Override
    public void unmade(long endNs, Receivers by) {
        if (projects) {
            readers.unmade(endNs, by);
        } else {
            each(by, activation -> activation.input().tableUnmade(endNs));
        }
    }

    /** An activation that ends at some time needs the table as it is then. */
    private void each(Receivers by, Consumer<Activation> what) {
        for (Activation activation : List.copyOf(activations)) {
            boolean ticks = by == Receivers.READERS;
            boolean forTicks = activation.output() == Receivers.READERS;
            boolean takes = readsTicks ? by != Receivers.SINKS : projects || forTicks == ticks;
            if (once ? !ticks : takes) {
                what.accept(activation);
            }
        }
    }

    @Override
    public boolean wantsTicks() {
        return !once && (readsTicks || readers.wantTicks());
    }
}
