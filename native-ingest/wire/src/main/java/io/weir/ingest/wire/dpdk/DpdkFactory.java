package io.weir.ingest.wire.dpdk;

import io.weir.ingest.source.CaptureSource;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceAdvice;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceFactory;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.wire.Links;
import io.weir.ingest.wire.Offloads;
import io.weir.ingest.wire.gpv.GpvPorts;
import io.weir.operators.error.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes {@code dpdk:} sources: {@code dpdk:0000:01:00.0?queues=4}, {@code
 * dpdk:net_af_packet0?iface=eth0}. They are live. Only a capture that net_pcap reads once is
 * finite: it waits for room, and ends.
 */
public final class DpdkFactory implements SourceFactory {
    private static final String SCHEME = "dpdk";
    private static final Set<String> OPTIONS = new HashSet<>(DpdkDevice.OWN_OPTIONS);

    static {
        OPTIONS.addAll(DpdkDevice.DRIVER_OPTIONS);
        OPTIONS.addAll(GpvPorts.OPTIONS);
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public Set<String> options() {
        return Set.copyOf(OPTIONS);
    }

    /** A card hands packets on at once. Finite captures have the command's times, as files do. */
    @Override
    public Map<String, String> defaults(SourceSpec spec) {
        if (isOfGpvs(spec)) {
            return Map.of(SourceSpec.LATENESS, GpvPorts.USUAL_LATENESS);
        }
        return isLive(spec)
                ? Map.of(SourceSpec.LATENESS, "10ms", SourceSpec.TIMEOUT, "100ms")
                : Map.of();
    }

    private static boolean isOfGpvs(SourceSpec spec) {
        return spec.option(DpdkDevice.GPV).isPresent();
    }

    @Override
    public List<SourceSpec> sources(SourceSpec named) {
        SourceSpec spec = isOfGpvs(named) ? GpvPorts.withLayout(named) : named;
        DpdkDevice.of(spec).check();
        return List.of(spec);
    }

    @Override
    public boolean isLive(SourceSpec spec) {
        return !DpdkDevice.of(spec).isFinite();
    }

    @Override
    public boolean isSame(SourceSpec one, SourceSpec other) {
        return one.address().equalsIgnoreCase(other.address());
    }

    @Override
    public void check(SourceSpec spec) {
        DpdkLibrary.require();
        DpdkCheck.requireDevice(DpdkDevice.of(spec), ErrorCode.UNREADABLE_INPUT);
    }

    @Override
    public List<SourceAdvice> advice(SourceSpec spec) {
        List<SourceAdvice> advice = new ArrayList<>();
        if (DpdkCheck.freeHugepages() == 0) {
            advice.add(
                    new SourceAdvice(
                            "no huge page is free: packets cost more",
                            "echo 256 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"));
        }
        DpdkDevice.of(spec)
                .kernelInterface()
                .ifPresent(
                        name -> {
                            advice.addAll(Offloads.advice(name));
                            advice.addAll(Links.advice(name));
                        });
        return advice;
    }

    /** A driver that reads an interface of the kernel calls its link up at all times. */
    @Override
    public Optional<String> silence(SourceSpec spec) {
        DpdkDevice device = DpdkDevice.of(spec);
        Optional<String> kernels = device.kernelInterface();
        return kernels.isPresent() ? Links.down(kernels.get()) : DpdkPort.linkDown(device);
    }

    @Override
    public int queues(SourceSpec spec) {
        return DpdkDevice.of(spec).queues();
    }

    @Override
    public Source open(List<SourceSpec> specs, int queue, SourceContext context) {
        SourceSpec spec = specs.get(0);
        if (specs.size() > 1) {
            throw DpdkLibrary.unreadable(
                    specs.get(1).name() + " is a second finite device",
                    "a process reads one; pcap: merges several captures");
        }
        DpdkDevice device = DpdkDevice.of(spec);
        DpdkQueue opened = DpdkQueue.open(device, queue, context.allocator());
        try {
            return device.gpvPorts().isPresent()
                    ? new DpdkBlocks(spec, device, opened, context)
                    : new CaptureSource(
                            spec, new DpdkCursor(context.allocator(), device, opened), context);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }
}
