package io.weir.cluster.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Makes an event for each WHEN that fires, at once, and one for each end. A FOR that is renewed has
 * many ends. Only the last is reported, once it is known to be the last. One thread at a time.
 */
public final class Events implements Listener {
    private final Consumer<Event> told;
    private final Consumer<WeirException> failed;
    private final Map<String, Long> ends = new LinkedHashMap<>();

    /** Makes events for a run whose {@link Report} has the failures of queries. */
    public Events(Consumer<Event> told) {
        this(told, failure -> {});
    }

    /**
     * @param failed is told at once of each query that ends before its input does
     */
    public Events(Consumer<Event> told, Consumer<WeirException> failed) {
        this.told = told;
        this.failed = failed;
    }

    @Override
    public void woken(Query query, String key, long windowEndNs, long activeFromNs) {
        tellEnd(query.name(), ends.remove(query.name()));
        String upstream = String.join(", ", query.when().map(When::upstreams).orElse(List.of()));
        told.accept(
                new Event(
                        query.name(), Event.Kind.WOKEN, activeFromNs, upstream, key, windowEndNs));
        query.when()
                .flatMap(When::forNs)
                .ifPresent(forNs -> ends.put(query.name(), activeFromNs + forNs));
    }

    @Override
    public void full(Query query, String key, long windowEndNs) {
        String upstream = String.join(", ", query.when().map(When::upstreams).orElse(List.of()));
        told.accept(
                new Event(query.name(), Event.Kind.FULL, windowEndNs, upstream, key, windowEndNs));
    }

    @Override
    public void until(Query query, long untilNs) {
        ends.put(query.name(), untilNs);
        if (query.when().flatMap(When::until).isPresent()) {
            tellEnd(query.name(), ends.remove(query.name()));
        }
    }

    @Override
    public void failed(Query query, WeirException failure) {
        failed.accept(failure);
    }

    /** Notes that nothing more will happen. */
    public void end() {
        ends.forEach(this::tellEnd);
        ends.clear();
    }

    private void tellEnd(String name, Long untilNs) {
        if (untilNs != null) {
            told.accept(new Event(name, Event.Kind.ENDED, untilNs, "", "", Long.MIN_VALUE));
        }
    }
}
