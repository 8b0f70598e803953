package io.weir.cluster.node;

import io.weir.cluster.counts.OpenGate;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.result.SourceCounts;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The sources of one engine. It distributes the engine's rings among their readers, and counts
 * their packets by time. Counts are for any thread.
 */
final class EngineSources implements SourceCounts {
    private final NodeSettings settings;
    private final List<SourceSpec> specs;
    private final List<OpenGate> gates = new ArrayList<>();

    EngineSources(NodeSettings settings, List<SourceSpec> specs) {
        this.settings = settings;
        this.specs = specs;
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
        List<BlockWriter> writers = engine.writers();
        int rings = writers.size() / gates.size();
        SourceConfig config = settings.source();
        SourceConfig share =
                new SourceConfig(config.latenessNs(), config.cache().sharedBy(gates.size()));
        List<SourceContext> contexts = new ArrayList<>();
        for (int i = 0; i < gates.size(); i++) {
            contexts.add(
                    new SourceContext(
                            share,
                            writers.subList(i * rings, (i + 1) * rings),
                            engine.allocator(),
                            account,
                            engine.pace(),
                            gates.get(i)));
        }
        return Sources.open(specs, contexts);
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
