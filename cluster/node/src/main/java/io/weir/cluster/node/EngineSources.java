package io.weir.cluster.node;

import io.weir.cluster.counts.OpenGate;
import io.weir.ingest.source.LiveSources;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceStatus;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.result.SourceCounts;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The sources of one engine. It distributes the engine's rings among their readers, and counts
 * their packets by time. Counts are for any thread.
 */
final class EngineSources implements SourceCounts {
    private final NodeSettings settings;
    private final Map<String, SourceSpec> named;
    private final List<SourceSpec> specs;
    private final List<OpenGate> gates = new CopyOnWriteArrayList<>();

    /**
     * @param named the sources by name
     */
    EngineSources(NodeSettings settings, Map<String, SourceSpec> named) {
        this.settings = settings;
        this.named = named;
        this.specs = List.copyOf(named.values());
        for (int i = 0; i < Sources.queues(specs); i++) {
            gates.add(new OpenGate(settings.lateness().toNanos()));
        }
    }

    EngineOptions engine() {
        return settings.engine(specs);
    }

    /** Returns options of a shared engine. There, packets never wait for a condition to settle. */
    EngineOptions shared() {
        return settings.engine().forLive(gates.size());
    }

    /** Opens the sources, after the engine's start. */
    Source open(LocalEngine engine, Account account) {
        return Sources.isLive(specs)
                ? live(engine, account, status -> {})
                : Sources.open(specs, contexts(engine, account).get(0));
    }

    /** Makes the live sources, after the engine's start. */
    LiveSources live(LocalEngine engine, Account account, Consumer<SourceStatus> listener) {
        List<SourceContext> contexts = contexts(engine, account);
        int rings = contexts.get(0).writers().size();
        SourceConfig share = contexts.get(0).config();
        return Sources.live(
                named,
                contexts,
                () -> {
                    List<BlockWriter> added = new ArrayList<>();
                    for (int i = 0; i < rings; i++) {
                        added.add(engine.addRing());
                    }
                    OpenGate gate = new OpenGate(settings.lateness().toNanos());
                    gates.add(gate);
                    return context(engine, account, share, added, gate);
                },
                listener);
    }

    private List<SourceContext> contexts(LocalEngine engine, Account account) {
        List<BlockWriter> writers = engine.writers();
        int rings = writers.size() / gates.size();
        SourceConfig config = settings.source();
        SourceConfig share =
                new SourceConfig(config.latenessNs(), config.cache().sharedBy(gates.size()));
        List<SourceContext> contexts = new ArrayList<>();
        for (int i = 0; i < gates.size(); i++) {
            List<BlockWriter> own = writers.subList(i * rings, (i + 1) * rings);
            contexts.add(context(engine, account, share, own, gates.get(i)));
        }
        return contexts;
    }

    private static SourceContext context(
            LocalEngine engine,
            Account account,
            SourceConfig config,
            List<BlockWriter> writers,
            OpenGate gate) {
        return new SourceContext(config, writers, engine.allocator(), account, engine.pace(), gate);
    }

    @Override
    public long before(long timeNs) {
        return gates.stream().mapToLong(gate -> gate.before(timeNs)).sum();
    }

    @Override
    public long lateBefore(long timeNs) {
        return gates.stream().mapToLong(gate -> gate.lateBefore(timeNs)).sum();
    }
}
