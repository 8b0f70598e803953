package io.weir.cluster.launcher;

import io.weir.cluster.sink.TimeText;
import io.weir.cluster.worker.WorkerListener;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a worker's events. If an end is postponed again and again, only the first is logged. */
final class WorkerLines implements WorkerListener {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLines.class);
    private final String worker;

    /** The ends of queries that were logged. */
    private final Map<String, Long> ends = new ConcurrentHashMap<>();

    WorkerLines(String worker) {
        this.worker = worker;
    }

    @Override
    public void ready(int queries) {
        say("has the catalogue (" + queries + " queries)");
    }

    @Override
    public void woken(Query query, String key, long windowEndNs, long activeFromNs) {
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
        LOG.warn("worker {}: query {} has ended: {}", worker, query.name(), failure.getMessage());
    }

    @Override
    public void took(int slice, long passedNs) {
        boolean goesOn = passedNs != Long.MIN_VALUE && passedNs != Long.MAX_VALUE;
        String ended = passedNs == Long.MAX_VALUE ? ", which has ended" : "";
        say("counts slice " + slice + (goesOn ? " from " + TimeText.of(passedNs) + " on" : ended));
    }

    private void say(String text) {
        LOG.info("worker {}: {}", worker, text);
    }
}
