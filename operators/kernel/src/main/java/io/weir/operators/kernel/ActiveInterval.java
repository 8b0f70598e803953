package io.weir.operators.kernel;

import java.util.Optional;

/**
 * The interval of event time in which a query with WHEN counts: packets with a time outside [from,
 * until) do not. Written by the trigger stage, read by pipelines once a segment.
 */
public final class ActiveInterval {
    private volatile long fromNs;
    private volatile long untilNs;
    private final Optional<BindingFeed> bindings;

    /** Always open. */
    public ActiveInterval() {
        this(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    public ActiveInterval(long fromNs, long untilNs) {
        this(fromNs, untilNs, Optional.empty());
    }

    /**
     * @param bindings whose activations lie within this interval; empty for a query without values
     */
    public ActiveInterval(long fromNs, long untilNs, Optional<BindingFeed> bindings) {
        this.bindings = bindings;
        this.fromNs = fromNs;
        this.untilNs = untilNs;
    }

    /** Returns the bindings that count in it; empty for a query without values. */
    public Optional<BindingFeed> bindings() {
        return bindings;
    }

    public long fromNs() {
        return fromNs;
    }

    public long untilNs() {
        return untilNs;
    }

    public void from(long timeNs) {
        fromNs = timeNs;
    }

    public void until(long timeNs) {
        untilNs = timeNs;
    }
}
