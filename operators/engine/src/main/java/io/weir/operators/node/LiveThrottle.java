package io.weir.operators.node;

import io.weir.operators.ring.SourceThrottle;

/** Never holds live packets back. The reader's thread. */
final class LiveThrottle implements SourceThrottle {
    private final Runnable drain;

    LiveThrottle(Runnable drain) {
        this.drain = drain;
    }

    @Override
    public long holdAtNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public void settle() {
        drain.run();
    }

    @Override
    public boolean followsClock() {
        return true;
    }
}
