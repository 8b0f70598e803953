package io.weir.cluster.node;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.ThreadOptions;
import java.time.Duration;
import java.util.List;

/**
 * Settings with which a node reads its sources.
 *
 * @param lateness how much older than the newest packet one may be before it is late
 * @param cache sizes, time-out and layout of the GPV cache
 * @param threads how threads wait, and where they run
 */
public record NodeSettings(
        Shape shape, Duration lateness, CacheConfig cache, ThreadOptions threads) {
    public static final NodeSettings DEFAULT =
            new NodeSettings(
                    Shape.ONE, Duration.ofSeconds(1), CacheConfig.DEFAULT, ThreadOptions.DEFAULT);

    /** Returns these settings for other threads. */
    public NodeSettings withShape(Shape other) {
        return new NodeSettings(other, lateness, cache, threads);
    }

    /** Returns the layouts that queries are compiled for. */
    public List<GpvLayout> layouts() {
        return cache.layouts();
    }

    public SourceConfig source() {
        return new SourceConfig(lateness.toNanos(), cache);
    }

    /** Returns these settings with a lateness and a time-out that suit all of these sources. */
    public NodeSettings covering(List<SourceSpec> sources) {
        if (sources.isEmpty()) {
            return this;
        }
        Duration latest = Duration.ZERO;
        long longestNs = 0;
        for (SourceSpec source : sources) {
            Duration own = source.lateness().orElse(lateness);
            latest = own.compareTo(latest) > 0 ? own : latest;
            long timeoutNs = source.timeout().map(Duration::toNanos).orElse(cache.timeoutNs());
            longestNs = Math.max(longestNs, timeoutNs);
        }
        CacheConfig covering = cache.withTimeout(longestNs).withLayout(layout(sources));
        return new NodeSettings(shape, latest, covering, threads);
    }

    /** Returns the layout of ready GPVs, or that of the cache if no source brings some. */
    private String layout(List<SourceSpec> sources) {
        List<String> layouts =
                sources.stream()
                        .flatMap(source -> source.option(SourceSpec.LAYOUT).stream())
                        .distinct()
                        .toList();
        if (layouts.size() > 1) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "the sources have the layouts " + String.join(" and ", layouts),
                    "the sources of one process have one layout");
        }
        return layouts.isEmpty() ? cache.layout() : layouts.get(0);
    }

    /**
     * Returns the options for these sources. Live ones have a reader, and rings, for each receive
     * queue.
     */
    public EngineOptions engine(List<SourceSpec> sources) {
        return Sources.isLive(sources) ? engine().forLive(Sources.queues(sources)) : engine();
    }

    public EngineOptions engine() {
        return EngineOptions.DEFAULT
                .withShape(shape.partitions(), shape.pipelines())
                .withTime(lateness.toNanos(), cache.timeoutNs())
                .withThreads(threads);
    }
}
