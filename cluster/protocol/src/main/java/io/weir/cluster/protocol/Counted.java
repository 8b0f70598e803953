package io.weir.cluster.protocol;

import io.weir.operators.result.Losses;

/** Packets of a window, from all its sources. */
record Counted(Losses losses, long processed) {
    static final Counted NONE = new Counted(Losses.NONE, 0);

    /** Returns the sum of both. */
    Counted plus(Counted other) {
        return new Counted(losses.plus(other.losses), processed + other.processed);
    }
}
