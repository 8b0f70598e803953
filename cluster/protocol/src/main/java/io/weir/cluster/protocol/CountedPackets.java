package io.weir.cluster.protocol;

import io.weir.operators.result.Losses;

/** Packets of a window, from all its sources. */
record CountedPackets(Losses losses, long processed) {
    static final CountedPackets NONE = new CountedPackets(Losses.NONE, 0);

    /** Returns the sum of both. */
    CountedPackets plus(CountedPackets other) {
        return new CountedPackets(losses.plus(other.losses), processed + other.processed);
    }
}
