package io.weir.operators.result;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.result.Activation.Output;
import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lets a query read a keyed table. It gives the table to the query's activations. A query that only
 * projects gives the projected table to its own readers instead. The results' thread.
 */
final class TableReading implements TableReader {
    private final ResultQuery query;
    private final boolean projects;

    TableReading(ResultQuery query) {
        this.query = query;
        projects = query.code().query().aggregate().isEmpty();
    }

    @Override
    public void table(RowBatch table, Output by) {
        each(by, activation -> take(activation, table, by));
    }

    private void take(Activation activation, RowBatch table, Output by) {
        if (!projects) {
            activation.input().table(table);
        } else if (activation.isActive(table.windowEndNs()) && !query.tableReaders().isEmpty()) {
            pass(activation, table, by);
        }
    }

    private void pass(Activation activation, RowBatch table, Output by) {
        try (RowBatch mine = activation.input().project(table)) {
            query.tableReaders().forEach(reader -> reader.table(mine, by));
        } catch (WeirException noMemory) {
            if (noMemory.code() != ErrorCode.OUT_OF_NATIVE_MEMORY) {
                throw noMemory;
            }
            query.tableReaders().forEach(reader -> reader.unmade(table.windowEndNs(), by));
        }
    }

    @Override
    public void unmade(long endNs, Output by) {
        if (projects) {
            query.tableReaders().forEach(reader -> reader.unmade(endNs, by));
        } else {
            each(by, activation -> activation.input().tableUnmade(endNs));
        }
    }

    /** An activation that ends at some time needs the table as it is then. */
    private void each(Output by, Consumer<Activation> what) {
        for (Activation activation : List.copyOf(query.activations())) {
            boolean ticks = by == Output.READERS;
            boolean forTicks = activation.output() == Output.READERS;
            boolean takes = query.readsTicks() ? by != Output.SINKS : projects || forTicks == ticks;
            if (takes) {
                what.accept(activation);
            }
        }
    }

    @Override
    public boolean wantsTicks() {
        return query.readsTicks() || query.wantsTicks();
    }
}
