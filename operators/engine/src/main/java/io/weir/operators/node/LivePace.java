package io.weir.operators.node;

import io.weir.operators.ring.Pace;

/** Never holds live packets back. The reader's thread. */
final class LivePace implements Pace {
    private final Runnable drain;

    LivePace(Runnable drain) {
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
