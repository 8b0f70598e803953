package io.weir.operators.node;

import io.weir.operators.result.InputSpan;
import io.weir.operators.ring.BlockWriter;
import java.util.List;

/** The span of the input, as the writers of the packets report it. Any thread. */
record WrittenSpan(List<BlockWriter> writers) implements InputSpan {
    @Override
    public boolean lacks(long startNs, long endNs) {
        for (BlockWriter writer : writers) {
            if (writer.times().lacks(startNs, endNs)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isAway(long startNs, long endNs) {
        return writers.stream().allMatch(writer -> writer.times().isAway(startNs, endNs));
    }

    @Override
    public long firstNs() {
        long first = Long.MAX_VALUE;
        for (BlockWriter writer : writers) {
            first = Math.min(first, writer.times().firstNs());
        }
        return first == Long.MAX_VALUE ? Long.MIN_VALUE : first;
    }

    @Override
    public long newestNs() {
        long newest = Long.MIN_VALUE;
        for (BlockWriter writer : writers) {
            newest = Math.max(newest, writer.times().endedNs());
        }
        return newest;
    }
}
