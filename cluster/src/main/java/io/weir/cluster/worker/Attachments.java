package io.weir.cluster.worker;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.placement.ClusterPlacement;
import io.weir.cluster.sink.OutputSink;
import io.weir.cluster.wire.QueryState.State;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.result.RowSink;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What of the catalogue runs in this worker's engine. Follows it: adds, replaces and drops what has
 * changed. What cannot run here is told with the reason, and the others go on. One thread at a
 * time; {@link #standing} is for any.
 */
final class Attachments {
    private final WorkerSettings settings;
    private final Set<String> nodes;
    private final LocalEngine engine;
    private final Outbox outbox;
    private final OutputSink beside;

    /** Versions in the engine, each after those that it needs. */
    private final Map<String, Long> attached = Collections.synchronizedMap(new LinkedHashMap<>());

    /** Those that the engine has ended by itself. */
    private final Map<String, Standing> ended = new ConcurrentHashMap<>();

    private volatile List<Standing> standing = List.of();
    private volatile long offset;

    /**
     * What became of a query here.
     *
     * @param about why, when it does not run
     */
    record Standing(String name, long version, State state, String about) {}

    /**
     * @param beside gets the rows that go into the outbox too
     */
    Attachments(WorkerSettings settings, LocalEngine engine, Outbox outbox, OutputSink beside) {
        this.settings = settings;
        this.nodes = settings.nodes();
        this.engine = engine;
        this.outbox = outbox;
        this.beside = beside;
    }

    List<Standing> standing() {
        return standing.stream().map(s -> ended.getOrDefault(s.name(), s)).toList();
    }

    /** How far the catalogue was followed. */
    long offset() {
        return offset;
    }

    void follow(CatalogState state) {
        dropWhatIsGone(state);
        ClusterPlacement placement = new ClusterPlacement(state);
        List<Standing> now = new ArrayList<>();
        for (Definition definition : state.definitions().values()) {
            now.add(standing(definition, placement));
        }
        standing = List.copyOf(now);
        offset = state.offset();
    }

    private void dropWhatIsGone(CatalogState state) {
        List<String> names = new ArrayList<>(attached.keySet());
        for (int i = names.size() - 1; i >= 0; i--) {
            if (!state.definitions().containsKey(names.get(i))) {
                if (ended.remove(names.get(i)) == null) {
                    drop(names.get(i));
                } else {
                    attached.remove(names.get(i));
                }
            }
        }
    }

    private Standing standing(Definition definition, ClusterPlacement placement) {
        String name = definition.name();
        Standing end = ended.remove(name);
        if (end != null) {
            attached.remove(name);
            if (end.version() == definition.version()) {
                ended.put(name, end);
                return end;
            }
        }
        Long before = attached.get(name);
        Standing here = new Standing(name, definition.version(), State.RUNNING, "");
        if (before != null && before == definition.version()) {
            return here;
        }
        ClusterPlacement.Where where = placement.where(definition.query());
        Optional<Standing> absent = absent(definition, where);
        try {
            if (absent.isPresent()) {
                drop(name);
                return absent.get();
            }
            attach(definition, before != null);
            return here;
        } catch (WeirException e) {
            return new Standing(
                    name, definition.version(), State.FAILED, e.text().replace('\n', ' '));
        }
    }

    /** Why it does not run here, if so. */
    private Optional<Standing> absent(Definition definition, ClusterPlacement.Where where) {
        String name = definition.name();
        long version = definition.version();
        if (!where.isOn(nodes)) {
            String about = "runs on " + String.join(", ", where.nodes().orElseThrow());
            return Optional.of(new Standing(name, version, State.ELSEWHERE, about));
        }
        String needed = needed(definition.query());
        if (needed != null && !attached.containsKey(needed)) {
            String about = "needs " + needed + ", which does not run here";
            return Optional.of(new Standing(name, version, State.FAILED, about));
        } else if (!where.whole() && !settings.sole()) {
            String about = "needs a merge of workers: " + where.reason();
            return Optional.of(new Standing(name, version, State.FAILED, about));
        }
        return Optional.empty();
    }

    private static String needed(Query query) {
        return query.readsPackets()
                ? query.when().map(when -> when.upstream()).orElse(null)
                : query.scan().stream();
    }

    private void attach(Definition definition, boolean replaces) {
        Query query = definition.query();
        var code = KernelCompiler.compile(query, settings.node().layouts());
        OutboxSink first = new OutboxSink(query, definition.version(), outbox);
        RowSink sink =
                batch -> {
                    first.rows(batch);
                    beside.rows(batch);
                };
        if (replaces) {
            engine.replace(code, sink);
        } else {
            engine.add(code, sink);
        }
        attached.put(query.name(), definition.version());
    }

    private void drop(String name) {
        if (attached.containsKey(name)) {
            engine.drop(name);
            attached.remove(name);
            beside.dropped(name);
        }
    }

    /** The engine has ended it by itself. Any thread. */
    void failed(Query query, WeirException failure) {
        String name = query.name();
        long version = attached.getOrDefault(name, 0L);
        ended.put(name, new Standing(name, version, State.FAILED, failure.getMessage()));
    }
}
