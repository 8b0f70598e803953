package io.weir.operators.result;

import io.weir.operators.kernel.Partial;

/**
 * One window of one activation, as one pipeline saw it, on its way to the merge. Whoever holds it
 * closes its partial.
 *
 * @param pipeline from 0
 * @param lost packets known lost since this pipeline's window before
 * @param processed packets that ran since then
 */
public record ClosedWindow(
        Activation activation,
        int pipeline,
        long startNs,
        long endNs,
        Partial partial,
        long lost,
        long processed) {

    /** What a pipeline sends after its last window of an activation. */
    public static ClosedWindow last(Activation activation, int pipeline) {
        return new ClosedWindow(activation, pipeline, 0, 0, null, 0, 0);
    }

    public boolean isLast() {
        return partial == null;
    }
}
