package io.weir.operators.ring;

/** Never holds a source back. */
public record Unheld(boolean followsClock) implements SourceThrottle {
    @Override
    public long holdAtNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public void settle() {
        // Nothing waits.
    }
}
