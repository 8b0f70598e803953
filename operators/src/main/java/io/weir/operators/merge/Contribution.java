package io.weir.operators.merge;

import io.weir.operators.kernel.Partial;
import io.weir.operators.result.Losses;
import io.weir.operators.window.LeftOut;

/** A window of one source: what has come of it, or all of it. Whoever holds it closes it. */
final class Contribution implements AutoCloseable {
    private Partial partial;
    private int blocks;
    private boolean unread;
    private Parcel.WindowEnd end;
    private long notHere;
    private Losses losses = Losses.NONE;

    Contribution(Partial partial) {
        this.partial = partial;
    }

    Partial partial() {
        return partial;
    }

    /** A block is in the partial. */
    void block() {
        blocks++;
    }

    /** A block is not, and may have left half of itself there: all is lost, in place of that. */
    void unread(Partial empty) {
        unread = true;
        partial.close();
        partial = empty;
    }

    boolean isUnread() {
        return unread;
    }

    /** All that comes has come; or what is lost in it has become less. */
    void end(Parcel.WindowEnd parcel) {
        end = parcel;
        Parcel.Window whole = parcel.window();
        long missing = Math.max(0, (long) whole.blocks() - blocks);
        // How many packets were in a block nobody can know: as many as in the others.
        long inMissing =
                missing == 0 ? 0 : -Math.floorDiv(-whole.processed() * missing, whole.blocks());
        notHere = unread ? whole.processed() : Math.min(whole.processed(), inMissing);
        losses = whole.losses().plus(unread ? Losses.own(notHere) : Losses.missing(notHere));
    }

    /** Null until all has come, as {@link #window}. */
    Parcel.WindowEnd end() {
        return end;
    }

    Parcel.Window window() {
        return end == null ? null : end.window();
    }

    Losses losses() {
        return losses;
    }

    /**
     * The partial, with what its source has left out of it.
     *
     * @param lacks whether packets are missing from the window: then nobody knows how many of which
     *     group
     */
    Partial told(boolean lacks) {
        LeftOut left = partial.tables().leftOut();
        left.set(window().leftOut());
        if (lacks || notHere > 0) {
            left.addUnknown();
        }
        return partial;
    }

    long processed() {
        return window().processed() - notHere;
    }

    @Override
    public void close() {
        partial.close();
    }
}
