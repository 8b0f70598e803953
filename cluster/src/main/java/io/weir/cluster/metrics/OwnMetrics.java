package io.weir.cluster.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What this process says of itself: the accounts, stage by stage ({@code weir_stage_…_total}),
 * native memory, and the JVM. Any thread.
 */
public final class OwnMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final List<Account> accounts = new CopyOnWriteArrayList<>();

    private final Set<String> registered = new HashSet<>();

    /** The latest counts, by meter: meters look here, since stages' snapshots are made anew. */
    private volatile Map<String, Stage.Snapshot> latest = Map.of();

    public OwnMetrics() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        collections.bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        for (MemoryTag tag : MemoryTag.values()) {
            if (tag != MemoryTag.TEST) {
                Gauge.builder("weir.native.bytes", tag, NativeAllocator::usedByAllBytes)
                        .description("Native memory in use, by what it is for")
                        .tags("tag", tag.name().toLowerCase(Locale.ROOT))
                        .register(registry);
            }
        }
    }

    /** An account whose stages are told from now on. */
    public void add(Account account) {
        accounts.add(account);
    }

    /** The text of {@code /metrics}, in the format of a content type. */
    synchronized String scrape(String contentType) {
        Map<String, Stage.Snapshot> now = new LinkedHashMap<>();
        for (Account account : accounts) {
            account.snapshot().forEach(stage -> now.put(stage.stage(), stage));
        }
        latest = now;
        now.values().forEach(this::register);
        return registry.scrape(contentType);
    }

    /** Unless it is. */
    private void register(Stage.Snapshot stage) {
        Tags tags = Tags.of("stage", stage.stage());
        String name = stage.stage();
        counter("weir.stage.offered", name, tags, Stage.Snapshot::offered);
        counter("weir.stage.processed", name, tags, Stage.Snapshot::processed);
        for (String reason : stage.lost().keySet()) {
            Tags why = tags.and("reason", reason);
            counter("weir.stage.lost", name, why, s -> s.lost().getOrDefault(reason, 0L));
        }
        for (String reason : stage.excluded().keySet()) {
            Tags why = tags.and("reason", reason);
            counter("weir.stage.excluded", name, why, s -> s.excluded().getOrDefault(reason, 0L));
        }
    }

    private interface Count {
        long of(Stage.Snapshot stage);
    }

    private void counter(String metric, String stage, Tags tags, Count count) {
        if (!registered.add(metric + tags)) {
            return;
        }
        FunctionCounter.builder(metric, this, own -> own.value(stage, count))
                .description("Packets, or what the stage's name says, of the account")
                .tags(tags)
                .register(registry);
    }

    private double value(String stage, Count count) {
        Stage.Snapshot now = latest.get(stage);
        return now == null ? Double.NaN : count.of(now);
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
