package io.weir.ingest.source;

import io.weir.operators.ring.Backpressure;
import io.weir.operators.ring.BlockHandler;
import io.weir.operators.ring.BlockRing;

/** Takes blocks out of a ring when it is full, on the writer's thread, and looks at nothing. */
final class Discard implements Backpressure {
    private static final int MANY = 100;

    private final BlockRing ring;
    private final BlockHandler handler = this::block;
    private long bytes;

    Discard(BlockRing ring) {
        this.ring = ring;
    }

    private void block(long address, int length) {
        bytes += length;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void await() {
        ring.read(handler, MANY);
    }
}
