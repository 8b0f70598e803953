package io.weir.operators.when;

import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.ActiveInterval;
import java.util.List;
import java.util.Optional;

/**
 * The interval in which a query with WHEN counts, as its activations begin and end. A query that
 * uses values counts from the first of its activations until the last has ended. The results' lock.
 */
public final class CountingInterval {
    private final Optional<BoundActivations> bound;
    private ActiveInterval gate;

    /**
     * @param delayNs from the end of a window until no packet of before it can come
     */
    public CountingInterval(Query query, long delayNs) {
        bound =
                query.when()
                        .flatMap(When::correlation)
                        .map(used -> new BoundActivations(query, used, delayNs));
    }

    /** Returns the latest interval, which pipelines read; null before the first. */
    public ActiveInterval gate() {
        return gate;
    }

    /**
     * Begins an activation.
     *
     * @param activeFromNs from when it counts in fact
     * @return whether it begins an interval
     */
    public boolean begin(WhenState.Change change, long activeFromNs) {
        if (bound.isEmpty()) {
            gate = new ActiveInterval(change.fromNs(), change.untilNs());
            return true;
        }
        BoundActivations all = bound.get();
        boolean begins = !isWithin(change);
        if (begins) {
            all.restart();
            long fromNs = change.waking().orElseThrow().intervalNs();
            gate = new ActiveInterval(fromNs, change.untilNs(), Optional.of(all.feed()));
        }
        all.begin(change, activeFromNs);
        gate.until(all.untilNs());
        return begins;
    }

    private boolean isWithin(WhenState.Change change) {
        return gate != null
                && gate.untilNs() > gate.fromNs()
                && gate.fromNs() == change.waking().orElseThrow().intervalNs();
    }

    /** Moves the end of an activation. Does nothing before the first has begun. */
    public void end(WhenState.Change change) {
        if (gate != null) {
            bound.ifPresent(all -> all.ends(change));
            gate.until(bound.map(BoundActivations::untilNs).orElse(change.untilNs()));
        }
    }

    /** Returns the bindings that count at a time. */
    public List<ActiveBinding> bindings(long timeNs) {
        return bound.map(all -> all.at(timeNs)).orElse(List.of());
    }
}
