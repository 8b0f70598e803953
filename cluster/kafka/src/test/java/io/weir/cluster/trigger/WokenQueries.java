package io.weir.cluster.trigger;

import io.weir.operators.when.WhenState;
import java.util.List;

/** Hears which queries are woken, and nothing else. */
public record WokenQueries(List<String> names) implements Triggers {
    @Override
    public void changed(String query, long version, WhenState.Change change) {
        if (change.begins()) {
            names.add(query);
        }
    }
}
