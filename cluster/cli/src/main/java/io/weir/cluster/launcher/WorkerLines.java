package io.weir.cluster.launcher;

import io.weir.cluster.sink.TimeText;
import io.weir.cluster.worker.WorkerListener;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Prints a worker's events as lines. If an end is postponed again and again, only the first is
 * printed.
 */
final class WorkerLines implements WorkerListener {
    private final String worker;
    private final PrintStream err;

    /** The ends of queries that were printed. */
    private final Map<String, Long> ends = new ConcurrentHashMap<>();

    WorkerLines(String worker, PrintStream err) {
        this.worker = worker;
        this.err = err;
    }

    @Override
    public void ready(int queries) {
        say("has the catalogue (" + queries + " queries)");
    }

    @Override
    public void woken(Query query, long windowEndNs, long activeFromNs) {
        ends.remove(query.name());
        say(query.name() + " wakes, and counts from " + TimeText.of(activeFromNs));
    }

    @Override
    public void wokenElsewhere(Query query, long activeFromNs) {
        say(
                query.name()
                        + " is woken from elsewhere, and counts from "
                        + TimeText.of(activeFromNs));
    }

    @Override
    public void resumed(Query query, long activeFromNs) {
        say(query.name() + " is still awake, and counts from " + TimeText.of(activeFromNs));
    }

    @Override
    public void until(Query query, long untilNs) {
        Long before = ends.put(query.name(), untilNs);
        if (before == null || untilNs < before) {
            say(query.name() + " ends at " + TimeText.of(untilNs));
        }
    }

    @Override
    public void failed(Query query, WeirException failure) {
        say(query.name() + " has ended: " + failure.getMessage());
    }

    @Override
    public void took(int slice, long passedNs) {
        boolean goesOn = passedNs != Long.MIN_VALUE && passedNs != Long.MAX_VALUE;
        String ended = passedNs == Long.MAX_VALUE ? ", which has ended" : "";
        say("counts slice " + slice + (goesOn ? " from " + TimeText.of(passedNs) + " on" : ended));
    }

    @Override
    public void note(String text) {
        say(text);
    }

    private void say(String text) {
        err.println("worker " + worker + ": " + text);
    }
}
