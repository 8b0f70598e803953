package io.weir.ingest.cache;

import io.weir.operators.gpv.GpvLayout;

/** Turns a slot into the bytes of a GPV. Stateless; any thread. */
abstract class GpvFormat {
    final GpvLayout layout;

    GpvFormat(GpvLayout layout) {
        this.layout = layout;
    }

    static GpvFormat of(GpvLayout layout) {
        return layout.name().equals("full") ? new FullFormat(layout) : new FlowFormat(layout);
    }

    /**
     * Writes the GPV of a slot.
     *
     * @param to where the writer has room for it
     * @param narrow how many of the tuples are in the slot
     * @param wide where the others are
     */
    abstract void write(long to, long slot, int count, int narrow, long wide);

    /** The largest nanosecond delta that a tuple can tell. */
    final long maxDeltaNs() {
        return layout.maxDelta() * layout.deltaUnitNs() + layout.deltaUnitNs() - 1;
    }
}
