package io.weir.cluster.node;

import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.Readings;
import io.weir.ingest.source.SourceState;
import io.weir.ingest.source.SourceStatus;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Measures the live sources of a node. Any thread. */
public final class SourceMeter implements Meter {
    private static final String SOURCE = "source";

    private final Supplier<List<SourceStatus>> sources;

    public SourceMeter(Supplier<List<SourceStatus>> sources) {
        this.sources = sources;
    }

    @Override
    public void read(Readings out) {
        for (SourceStatus source : sources.get()) {
            packets(source, out);
            times(source, out);
            state(source, out);
        }
    }

    private static void packets(SourceStatus source, Readings out) {
        String name = source.name();
        long processed = source.packets() - sum(source.lost()) - sum(source.excluded());
        String came = "Packets that came to a source";
        out.counter("weir_source_offered", came, source.packets(), SOURCE, name);
        String whole = "Packets of a source that are neither lost nor excluded";
        out.counter("weir_source_processed", whole, processed, SOURCE, name);
        String lost = "Lost packets of a source";
        source.lost().forEach((why, n) -> reason(out, "weir_source_lost", lost, name, why, n));
        String leftOut = "Packets of a source that are left out on purpose";
        source.excluded()
                .forEach((why, n) -> reason(out, "weir_source_excluded", leftOut, name, why, n));
    }

    private static void reason(
            Readings out, String metric, String help, String name, String why, long count) {
        out.counter(metric, help, count, SOURCE, name, "reason", why);
    }

    private static void times(SourceStatus source, Readings out) {
        String fill = "The fullest ring of a source, from 0 to 1";
        out.gauge("weir_source_ring_fill", fill, source.ringFill(), SOURCE, source.name());
        String behind = "The wall clock less the time of a source's newest packet";
        source.lagMs()
                .ifPresent(
                        ms ->
                                out.gauge(
                                        "weir_source_lag_seconds",
                                        behind,
                                        ms / 1e3,
                                        SOURCE,
                                        source.name()));
    }

    private static void state(SourceStatus source, Readings out) {
        String again = "How often a source went away and was opened again";
        out.counter("weir_source_retries", again, source.retries(), SOURCE, source.name());
        for (SourceState state : SourceState.values()) {
            out.gauge(
                    "weir_source_state",
                    "1 for the state of a source",
                    state == source.state() ? 1L : 0L,
                    SOURCE,
                    source.name(),
                    "state",
                    state.label());
        }
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
