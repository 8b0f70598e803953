package io.weir.cluster.launcher;

import io.weir.cluster.node.Listener;
import io.weir.cluster.sink.TimeText;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line for each WHEN that fires, as it does, and one for each end. A FOR that is renewed has many
 * ends, of which only the last is told, once it is known to be the last. One thread at a time.
 */
final class WakeLines implements Listener {
    private final PrintStream err;
    private final Map<String, Long> ends = new LinkedHashMap<>();

    WakeLines(PrintStream err) {
        this.err = err;
    }

    @Override
    public void woken(Query query, long windowEndNs, long activeFromNs) {
        tellEnd(query.name(), ends.remove(query.name()));
        String upstream = query.when().map(When::upstream).orElse("");
        err.println(
                "WHEN: "
                        + upstream
                        + " of the window to "
                        + TimeText.of(windowEndNs)
                        + " wakes "
                        + query.name()
                        + ", which counts from "
                        + TimeText.of(activeFromNs));
        query.when()
                .flatMap(When::forNs)
                .ifPresent(forNs -> ends.put(query.name(), activeFromNs + forNs));
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
        Failures.failed(failure, err);
    }

    /** Nothing more will happen. */
    void end() {
        ends.forEach(this::tellEnd);
        ends.clear();
    }

    private void tellEnd(String name, Long untilNs) {
        if (untilNs != null) {
            err.println("WHEN: " + name + " counts until " + TimeText.of(untilNs));
        }
    }
}
