package io.weir.cluster.metrics;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.weir.operators.account.Account;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The metrics of this process: its parts ({@link Meter}), native memory, and the JVM. The parts
 * include the accounts, stage by stage ({@code weir_stage_…_total}). Any thread.
 */
public final class OwnMetrics implements AutoCloseable {
    private static final Set<String> UNFIT = Set.of("process.cpu.time", "system.cpu.count");
    private static final double SECOND_NS = 1e9;

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final List<Meter> meters = new CopyOnWriteArrayList<>();

    public OwnMetrics() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        collections.bindTo(registry);
        registry.config().meterFilter(MeterFilter.deny(meter -> UNFIT.contains(meter.getName())));
        new ProcessorMetrics().bindTo(registry);
        processor();
        new UptimeMetrics().bindTo(registry);
        for (MemoryTag tag : MemoryTag.values()) {
            if (tag != MemoryTag.TEST) {
                Gauge.builder("weir.native.bytes", tag, NativeAllocator::usedByAllBytes)
                        .description("Native memory in use, by what it is for")
                        .tags("tag", tag.name().toLowerCase(Locale.ROOT))
                        .register(registry);
            }
        }
        // Below Micrometer's registry, because the set of metrics is known only at each scrape.
        MultiCollector collector = this::snapshots;
        registry.getPrometheusRegistry().register(collector);
    }

    /** Adds measures whose names in Micrometer are not as Prometheus wants them. */
    private void processor() {
        Gauge.builder("system.cpus", Runtime.getRuntime(), Runtime::availableProcessors)
                .description("Processors that the JVM may use")
                .register(registry);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            FunctionCounter.builder(
                            "process.cpu.seconds", system, s -> s.getProcessCpuTime() / SECOND_NS)
                    .description("CPU time of this process")
                    .register(registry);
        }
    }

    private MetricSnapshots snapshots() {
        Readings readings = new Readings();
        meters.forEach(meter -> meter.read(readings));
        return readings.snapshots();
    }

    /** Adds an account, whose stages are reported from now on. */
    public void add(Account account) {
        add(new StageMeter(account));
    }

    /** Adds a part from now on. */
    public void add(Meter meter) {
        meters.add(meter);
    }

    /** Returns the text of {@code /metrics}, in the format of a content type. */
    synchronized String scrape(String contentType) {
        return registry.scrape(contentType);
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
