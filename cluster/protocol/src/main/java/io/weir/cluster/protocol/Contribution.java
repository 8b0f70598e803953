package io.weir.cluster.protocol;

import io.weir.operators.kernel.Partial;
import io.weir.operators.result.Losses;
import io.weir.operators.window.LeftOutPackets;

/** The window of one source: the parts that have come, or all of it. The holder closes it. */
final class Contribution implements AutoCloseable {
    private Partial partial;
    private int blocks;
    private boolean unread;
    private MergeMessage.WindowEnd end;
    private long notHere;
    private Losses losses = Losses.NONE;

    Contribution(Partial partial) {
        this.partial = partial;
    }

    Partial partial() {
        return partial;
    }

    /** Notes that a block is in the partial. */
    void block() {
        blocks++;
    }

    /**
     * Notes that a block could not be read. It may have left a half in the partial, so all is lost
     * and an empty one replaces it.
     */
    void unread(Partial empty) {
        unread = true;
        partial.close();
        partial = empty;
    }

    boolean isUnread() {
        return unread;
    }

    /** Notes that all parts have come; or that fewer packets are lost in it. */
    void end(MergeMessage.WindowEnd message) {
        end = message;
        MergeMessage.Window whole = message.window();
        long missing = Math.max(0, (long) whole.blocks() - blocks);
        // Nobody knows how many packets a missing block had. The estimate is the mean of the
        // others.
        long inMissing =
                missing == 0 ? 0 : -Math.floorDiv(-whole.processed() * missing, whole.blocks());
        notHere = unread ? whole.processed() : Math.min(whole.processed(), inMissing);
        losses = whole.losses().plus(unread ? Losses.own(notHere) : Losses.missing(notHere));
    }

    /** Returns null until all has come, as {@link #window}. */
    MergeMessage.WindowEnd end() {
        return end;
    }

    MergeMessage.Window window() {
        return end == null ? null : end.window();
    }

    Losses losses() {
        return losses;
    }

    /**
     * Returns the partial, with the account of what its source left out.
     *
     * @param lacks whether packets are missing from the window: then nobody knows how many of which
     *     group
     */
    Partial told(boolean lacks) {
        LeftOutPackets left = partial.tables().leftOut();
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
