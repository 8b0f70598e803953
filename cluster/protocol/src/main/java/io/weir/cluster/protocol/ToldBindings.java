package io.weir.cluster.protocol;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.BindingFeed;
import java.util.Optional;

/** The times of a query's bindings, as sources tell them with their windows. The merge's thread. */
final class ToldBindings {
    private final Optional<BindingFeed> feed;

    ToldBindings(Query query) {
        feed = query.when().flatMap(When::correlation).map(used -> feed(query, used));
    }

    /** All windows of a binding are final some windows after its end. Totals never are. */
    private static BindingFeed feed(Query query, Correlation used) {
        return new BindingFeed(
                used,
                query.aggregate()
                        .flatMap(aggregate -> aggregate.window())
                        .map(window -> 2 * window.sizeNs())
                        .orElse(Long.MAX_VALUE));
    }

    /** Returns the bindings; empty for a query without values. */
    Optional<BindingFeed> feed() {
        return feed;
    }

    void told(MergeMessage.Window window) {
        feed.ifPresent(known -> window.bindings().forEach(known::told));
    }

    /** Forgets bindings whose windows are final by this time. */
    void passed(long timeNs) {
        feed.ifPresent(known -> known.forget(timeNs));
    }
}
