package io.weir.cluster.trigger;

import java.util.List;

/** Hears which queries are woken, and nothing else. */
public record WokenQueries(List<String> names) implements Triggers {
    @Override
    public void wake(String query, long version, long fromNs, long untilNs) {
        names.add(query);
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs) {}

    @Override
    public void settled(long settledNs) {}
}
