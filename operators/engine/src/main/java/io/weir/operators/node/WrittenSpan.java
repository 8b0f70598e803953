package io.weir.operators.node;

import io.weir.operators.result.InputSpan;
import io.weir.operators.ring.BlockWriter;
import java.util.List;

/** The span of the input, as the writers of the packets report it. Any thread. */
record WrittenSpan(List<BlockWriter> writers) implements InputSpan {
    @Override
    public long begunNs() {
        long latest = Long.MIN_VALUE;
        for (BlockWriter writer : writers) {
            latest = Math.max(latest, writer.begunNs());
        }
        return latest;
    }

    @Override
    public long endedNs() {
        long earliest = Long.MAX_VALUE;
        for (BlockWriter writer : writers) {
            earliest = Math.min(earliest, writer.endedNs());
        }
        return earliest;
    }
}
