package io.weir.cluster.node;

import io.weir.cluster.counts.OpenGate;
import io.weir.cluster.counts.TimedGate;
import io.weir.cluster.protocol.PacketCounts;
import io.weir.ingest.source.LiveSources;
import io.weir.ingest.source.PacketGate;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceStatus;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The sources of one engine. It distributes the engine's rings among their readers, and counts
 * their packets by time. Counts are for any thread.
 */
public final class EngineSources implements PacketCounts {
    private final NodeSettings settings;
    private final Map<String, SourceSpec> named;
    private final List<SourceSpec> specs;
    private final Supplier<? extends TimedGate> newGate;
    private final List<TimedGate> gates = new CopyOnWriteArrayList<>();

    /**
     * @param named the sources by name
     */
    EngineSources(NodeSettings settings, Map<String, SourceSpec> named) {
        this(settings, named, () -> new OpenGate(settings.lateness().toNanos()));
    }

    /**
     * @param named the sources by name; there may be none yet
     * @param newGate makes the gate of one more reader
     */
    public EngineSources(
            NodeSettings settings,
            Map<String, SourceSpec> named,
            Supplier<? extends TimedGate> newGate) {
        this.settings = settings;
        this.newGate = newGate;
        this.named = named;
        this.specs = List.copyOf(named.values());
        for (int i = 0; i < Sources.queues(specs); i++) {
            gates.add(newGate.get());
        }
    }

    EngineOptions engine() {
        return settings.engine(specs);
    }

    /** Returns options of a shared engine. There, packets never wait for a condition to settle. */
    public EngineOptions shared() {
        return settings.engine().forLive(gates.size());
    }

    /** Opens the sources, after the engine's start. */
    Source open(LocalEngine engine, Account account) {
        return Sources.isLive(specs)
                ? live(engine, account, status -> {})
                : Sources.open(specs, contexts(engine, account, UnaryOperator.identity()).get(0));
    }

    /** Makes the live sources, after the engine's start. */
    LiveSources live(LocalEngine engine, Account account, Consumer<SourceStatus> listener) {
        return live(engine, account, listener, UnaryOperator.identity());
    }

    /**
     * Does the same.
     *
     * @param entrance is put before each reader's gate
     */
    public LiveSources live(
            LocalEngine engine,
            Account account,
            Consumer<SourceStatus> listener,
            UnaryOperator<PacketGate> entrance) {
        List<SourceContext> contexts = contexts(engine, account, entrance);
        int rings = contexts.get(0).writers().size();
        SourceConfig share = contexts.get(0).config();
        return LiveSources.of(
                named,
                contexts,
                () -> {
                    List<BlockWriter> added = new ArrayList<>();
                    for (int i = 0; i < rings; i++) {
                        added.add(engine.addRing());
                    }
                    TimedGate gate = newGate.get();
                    gates.add(gate);
                    return context(engine, account, share, added, entrance.apply(gate));
                },
                listener);
    }

    private List<SourceContext> contexts(
            LocalEngine engine, Account account, UnaryOperator<PacketGate> entrance) {
        List<BlockWriter> writers = engine.writers();
        int rings = writers.size() / gates.size();
        SourceConfig config = settings.source();
        SourceConfig share =
                new SourceConfig(config.latenessNs(), config.cache().sharedBy(gates.size()));
        List<SourceContext> contexts = new ArrayList<>();
        for (int i = 0; i < gates.size(); i++) {
            List<BlockWriter> own = writers.subList(i * rings, (i + 1) * rings);
            PacketGate gate = entrance.apply(gates.get(i));
            contexts.add(context(engine, account, share, own, gate));
        }
        return contexts;
    }

    private static SourceContext context(
            LocalEngine engine,
            Account account,
            SourceConfig config,
            List<BlockWriter> writers,
            PacketGate gate) {
        return new SourceContext(
                        config, writers, engine.allocator(), account, engine.throttle(), gate)
                .with(engine.pipelines(writers));
    }

    @Override
    public long before(long timeNs) {
        return gates.stream().mapToLong(gate -> gate.before(timeNs)).sum();
    }

    @Override
    public long lateBefore(long timeNs) {
        return gates.stream().mapToLong(gate -> gate.lateBefore(timeNs)).sum();
    }

    @Override
    public long afterAllNs() {
        return gates.stream().mapToLong(TimedGate::afterAllNs).max().orElse(Long.MIN_VALUE);
    }

    /** Packets of live sources come once. */
    @Override
    public boolean goesOn() {
        return false;
    }

    /** The gates have one ledger, if they have one. */
    @Override
    public long ledger() {
        return gates.get(0).ledger();
    }

    @Override
    public long earlier() {
        return gates.get(0).earlier();
    }
}
