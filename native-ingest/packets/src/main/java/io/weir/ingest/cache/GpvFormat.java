package io.weir.ingest.cache;

import io.weir.operators.gpv.GpvLayout;

/** Turns a slot into the bytes of a GPV. Stateless; any thread. */
abstract class GpvFormat {
    final GpvLayout layout;

    GpvFormat(GpvLayout layout) {
        this.layout = layout;
    }

    /**
     * Writes the GPV of a slot.
     *
     * @param to the writer's room for it
     * @param narrow the number of tuples in the slot
     * @param wide the address of the others
     */
    abstract void write(long to, long slot, int count, int narrow, long wide);

    /** Returns the largest nanosecond delta that a tuple can hold. */
    final long maxDeltaNs() {
        return layout.maxDelta() * layout.deltaUnitNs() + layout.deltaUnitNs() - 1;
    }
}
