package io.weir.cluster.sink;

import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.Optional;

/** Combines several sinks, in their order. The results' thread. */
public final class Fanout implements OutputSink {
    private final List<Branch> branches;

    /**
     * @param query whose rows the sink gets; empty: all queries
     */
    public record Branch(Optional<String> query, OutputSink sink) {
        /** Returns whether it gets the rows of the query of this name. */
        public boolean wants(String name) {
            return query.isEmpty() || query.get().equals(name);
        }
    }

    public Fanout(List<Branch> branches) {
        this.branches = List.copyOf(branches);
    }

    @Override
    public void rows(RowBatch batch) {
        for (Branch branch : branches) {
            if (branch.wants(batch.query().name())) {
                branch.sink().rows(batch);
            }
        }
    }

    @Override
    public void dropped(String query) {
        branches.forEach(branch -> branch.sink().dropped(query));
    }

    @Override
    public void end() {
        branches.forEach(branch -> branch.sink().end());
    }

    /** Calls all sinks, even if one throws; then throws its exception. */
    @Override
    public void close() {
        RuntimeException failure = null;
        for (Branch branch : branches) {
            try {
                branch.sink().close();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
