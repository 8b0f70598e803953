package io.weir.operators.result;

import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialWindow;

/**
 * One window of one state from one pipeline. The holder closes its partial. Without a partial it
 * carries another report of the pipeline: {@link #loss}, {@link #last}.
 *
 * @param pipeline from 0
 * @param losses since this pipeline's last window
 * @param processed packets that ran since then
 */
public record WindowPart(
        int pipeline, long startNs, long endNs, Partial partial, Losses losses, long processed) {

    /** Wraps a window that a state has closed. */
    public static WindowPart of(int pipeline, PartialWindow window, Losses losses, long processed) {
        return new WindowPart(
                pipeline, window.startNs(), window.endNs(), window.groups(), losses, processed);
    }

    /**
     * Makes the message that a pipeline sends after its last window.
     *
     * @param processed packets that ran since then, in windows that are not sent
     */
    public static WindowPart last(int pipeline, long processed) {
        return new WindowPart(pipeline, 0, 0, null, Losses.NONE, processed);
    }

    /**
     * Reports lost packets, which were known before the next window was reported.
     *
     * @param sinceNs windows that end at this time or before do not lack them, or are reported
     */
    public static WindowPart loss(int pipeline, long sinceNs, long packets) {
        return new WindowPart(pipeline, sinceNs, sinceNs, null, Losses.of(packets), 0);
    }

    public boolean isLast() {
        return partial == null && !isLoss();
    }

    public boolean isLoss() {
        return partial == null && losses.lost() > 0;
    }
}
