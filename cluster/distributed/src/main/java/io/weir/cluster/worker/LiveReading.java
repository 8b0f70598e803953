package io.weir.cluster.worker;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.NamedSource;
import io.weir.cluster.node.CreatedSource;
import io.weir.cluster.node.EngineSources;
import io.weir.cluster.wire.SourceReport;
import io.weir.ingest.source.LiveSources;
import io.weir.ingest.source.PacketGate;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceStatus;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a worker's live sources: those of its command, and those that the catalogue has for its
 * nodes. These come and go while it counts. The thread that reads packets calls {@link #run} once;
 * the rest is for any.
 */
final class LiveReading implements PacketReading {
    private static final Logger LOG = LoggerFactory.getLogger(LiveReading.class);

    private final WorkerSettings settings;
    private final Account account;
    private final Clock clock;

    /** The sources of the catalogue that are open, or refused. The reading thread's. */
    private final Map<String, NamedSource> created = new HashMap<>();

    // Guarded by this object's monitor.
    private final Map<String, SourceReport> refused = new TreeMap<>();
    private LiveSources live;
    private List<SourceStatus> last = List.of();
    private List<String> lastNotes = List.of();
    private boolean stopped;
    private long droppedPackets;

    LiveReading(WorkerSettings settings, Account account, Clock clock) {
        this.settings = settings;
        this.account = account;
        this.clock = clock;
    }

    /**
     * Returns at the end of the sources, or soon after {@link #stop}. Without sources of its
     * command it waits for those of the catalogue.
     *
     * @param entrance is put before the gate of each reader
     * @param catalog the catalogue as it is known now
     */
    void run(
            WorkerParts parts,
            EngineSources sources,
            UnaryOperator<PacketGate> entrance,
            BooleanSupplier isKnown,
            Supplier<CatalogState> catalog) {
        WorkerBegin begin = new WorkerBegin(parts.queries(), settings, isKnown);
        try (LiveSources opened =
                sources.live(
                        parts.engine(),
                        account,
                        this::changed,
                        gate -> begin.before(entrance.apply(gate)))) {
            if (settings.captures().isEmpty()) {
                opened.waiting();
            }
            opened(opened);
            read(opened, parts, catalog);
        } finally {
            closed();
        }
        notes().forEach(note -> LOG.info("worker {}: {}", settings.name(), note));
    }

    private void read(LiveSources opened, WorkerParts parts, Supplier<CatalogState> catalog) {
        CatalogState known = CatalogState.EMPTY;
        while (opened.step()) {
            parts.engine().poll();
            CatalogState now = catalog.get();
            if (now != known) {
                known = now;
                follow(opened, now.sources());
            }
        }
    }

    private synchronized void opened(LiveSources opened) {
        live = opened;
        if (stopped) {
            opened.stop();
        }
    }

    /** Heartbeats go on after the engine, and its rings' memory is freed with it. */
    private synchronized void closed() {
        if (live != null) {
            last = live.statuses();
            lastNotes = live.notes();
            live = null;
        }
    }

    /** Opens and ends sources, so that they are those of the catalogue. */
    private void follow(LiveSources opened, Map<String, NamedSource> wanted) {
        for (NamedSource source : List.copyOf(created.values())) {
            if (!source.equals(wanted.get(source.name()))) {
                created.remove(source.name());
                drop(opened, source.name());
            }
        }
        for (NamedSource source : wanted.values()) {
            boolean own = settings.nodes().contains(source.node());
            if (own && created.putIfAbsent(source.name(), source) == null) {
                add(opened, source);
            }
        }
    }

    private void drop(LiveSources opened, String name) {
        long packets =
                opened.statuses().stream()
                        .filter(source -> source.name().equals(name))
                        .mapToLong(LiveReading::processed)
                        .sum();
        var unused = opened.drop(name);
        synchronized (this) {
            droppedPackets += packets;
            refused.remove(name);
        }
        LOG.info("worker {}: source {} is dropped", settings.name(), name);
    }

    private void add(LiveSources opened, NamedSource source) {
        try {
            SourceSpec spec = Sources.parse(source.uri(), source.node()).get(0);
            CreatedSource.checkDelay(spec, settings.node());
            opened.add(source.name(), spec);
        } catch (WeirException why) {
            String text = SourceStatus.text(why);
            LOG.warn("worker {}: source {}: {}", settings.name(), source.name(), text);
            synchronized (this) {
                refused.put(source.name(), SourceReports.refused(source, clock.millis(), text));
            }
        }
    }

    private void changed(SourceStatus source) {
        String about = source.error().filter(why -> source.state().isFault()).orElse("");
        LOG.info(
                "worker {}: source {} ({}) is {}{}",
                settings.name(),
                source.name(),
                source.spec().name(),
                source.state().label(),
                about.isEmpty() ? "" : ": " + about);
    }

    @Override
    public synchronized List<SourceStatus> measured() {
        return live == null ? last : live.statuses();
    }

    @Override
    public List<SourceReport> sources() {
        List<SourceReport> reports = new ArrayList<>();
        measured().forEach(source -> reports.add(SourceReports.of(source)));
        synchronized (this) {
            reports.addAll(refused.values());
        }
        return reports;
    }

    @Override
    public synchronized List<String> notes() {
        return live == null ? lastNotes : live.notes();
    }

    @Override
    public long packets() {
        long now = measured().stream().mapToLong(LiveReading::processed).sum();
        synchronized (this) {
            return droppedPackets + now;
        }
    }

    private static long processed(SourceStatus source) {
        return source.packets() - sum(source.lost()) - sum(source.excluded());
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public synchronized boolean isStopped() {
        return stopped;
    }

    @Override
    public synchronized void stop() {
        stopped = true;
        if (live != null) {
            live.stop();
        }
    }
}
