package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceAdvice;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceFactory;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.wire.SocketLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes {@code gpv-udp:} sources: blocks of GPVs that switches and hosts send to UDP ports. Each
 * port is a receive queue.
 */
public final class GpvUdpFactory implements SourceFactory {
    static final String SCHEME = "gpv-udp";

    private static final Path MOST_BUFFER = Path.of("/proc/sys/net/core/rmem_max");

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public Set<String> options() {
        return GpvUdpOptions.NAMES;
    }

    @Override
    public Map<String, String> defaults(SourceSpec spec) {
        return Map.of(SourceSpec.LATENESS, GpvPorts.USUAL_LATENESS);
    }

    @Override
    public List<SourceSpec> sources(SourceSpec named) {
        SourceSpec spec = GpvPorts.withLayout(named);
        GpvUdpOptions.of(spec);
        return List.of(spec);
    }

    @Override
    public boolean isSame(SourceSpec one, SourceSpec other) {
        GpvUdpOptions a = GpvUdpOptions.of(one);
        GpvUdpOptions b = GpvUdpOptions.of(other);
        boolean apart = a.port() + a.ports() <= b.port() || b.port() + b.ports() <= a.port();
        return a.listen().equals(b.listen()) && !apart;
    }

    @Override
    public void check(SourceSpec spec) {
        SocketLibrary.require(SCHEME);
    }

    @Override
    public List<SourceAdvice> advice(SourceSpec spec) {
        int wanted = GpvUdpOptions.of(spec).bufferBytes();
        try {
            long most = Long.parseLong(Files.readString(MOST_BUFFER).strip());
            return most >= wanted
                    ? List.of()
                    : List.of(
                            new SourceAdvice(
                                    "a socket's buffer is " + most + " bytes at most",
                                    "sysctl -w net.core.rmem_max=" + wanted));
        } catch (IOException | NumberFormatException e) {
            return List.of(); // another system's bounds
        }
    }

    @Override
    public int queues(SourceSpec spec) {
        return GpvUdpOptions.of(spec).ports();
    }

    @Override
    public Source open(List<SourceSpec> specs, int queue, SourceContext context) {
        GpvUdpOptions options = GpvUdpOptions.of(specs.get(0));
        return new GpvUdpSource(specs.get(0), options, queue, context);
    }
}
