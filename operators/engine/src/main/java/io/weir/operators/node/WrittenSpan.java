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
}
