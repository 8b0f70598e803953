package io.weir.cluster.sink;

import io.weir.operators.result.RowBatch;
import java.util.List;
import java.util.Optional;

/** Several sinks as one, in their order. The results' thread. */
public final class Fanout implements OutputSink {
    private final List<Branch> branches;

    /**
     * @param query whose rows the sink gets; empty: of all
     */
    public record Branch(Optional<String> query, OutputSink sink) {
        /** Whether it gets the rows of the query of this name. */
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

    /** All of them, whatever one of them throws; then that is thrown. */
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
