package io.weir.ingest.wire.afpacket;

import io.weir.ingest.source.CaptureSource;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceAdvice;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceFactory;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.wire.Links;
import io.weir.ingest.wire.Offloads;
import io.weir.ingest.wire.SocketLibrary;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Makes {@code afpacket:} sources: the packets of a network interface, or of all of them, as the
 * kernel sees them. It needs CAP_NET_RAW. With several queues the kernel spreads flows over them.
 */
public final class AfPacketFactory implements SourceFactory {
    static final String SCHEME = "afpacket";

    private static final Path INTERFACES = Path.of("/sys/class/net");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String CAPABILITIES = "CapEff:";
    private static final int CAP_NET_RAW = 13;

    /** Two processes that read one interface in several queues must not share a group. */
    private static final int PROCESS = new Random().nextInt();

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public Set<String> options() {
        return AfPacketOptions.NAMES;
    }

    @Override
    public Map<String, String> defaults(SourceSpec spec) {
        return Map.of(SourceSpec.LATENESS, "10ms", SourceSpec.TIMEOUT, "100ms");
    }

    @Override
    public List<SourceSpec> sources(SourceSpec named) {
        String name = named.address();
        if (name.isEmpty()
                || name.contains("/")
                || name.getBytes(StandardCharsets.UTF_8).length > AfPacket.MOST_NAME_BYTES) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    SCHEME + ":" + name + " names no interface",
                    SCHEME + ":eth0; ip link shows the interfaces");
        }
        AfPacketOptions.of(named);
        return List.of(named);
    }

    @Override
    public void check(SourceSpec spec) {
        SocketLibrary.require(SCHEME);
        String name = spec.address();
        if (!AfPacketOptions.isAll(spec) && !Files.exists(INTERFACES.resolve(name))) {
            Set<String> all = interfaces();
            throw new WeirException(
                    ErrorCode.UNREADABLE_INPUT,
                    SCHEME + ":" + name + ": there is no such interface",
                    Suggestion.hint(
                            name,
                            all,
                            "the interfaces are " + String.join(", ", all) + "; any is all"));
        }
        if (!hasCapability()) {
            throw AfPacketErrors.notAllowed(name);
        }
    }

    private static Set<String> interfaces() {
        try (Stream<Path> all = Files.list(INTERFACES)) {
            Set<String> names = new TreeSet<>();
            all.forEach(path -> names.add(path.getFileName().toString()));
            return names;
        } catch (IOException e) {
            return Set.of();
        }
    }

    /** Returns false only if it is certain; the kernel decides. */
    private static boolean hasCapability() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(CAPABILITIES))
                    .map(line -> line.substring(CAPABILITIES.length()).strip())
                    .allMatch(mask -> (Long.parseLong(mask, 16) >> CAP_NET_RAW & 1) == 1);
        } catch (IOException | NumberFormatException e) {
            return true;
        }
    }

    @Override
    public List<SourceAdvice> advice(SourceSpec spec) {
        Set<String> names = AfPacketOptions.isAll(spec) ? interfaces() : Set.of(spec.address());
        List<SourceAdvice> advice = new ArrayList<>();
        names.forEach(name -> advice.addAll(Offloads.advice(name)));
        if (!AfPacketOptions.isAll(spec)) {
            advice.addAll(Links.advice(spec.address()));
        }
        return advice;
    }

    @Override
    public Optional<String> silence(SourceSpec spec) {
        return AfPacketOptions.isAll(spec) ? Optional.empty() : Links.down(spec.address());
    }

    @Override
    public int queues(SourceSpec spec) {
        return AfPacketOptions.of(spec).queues();
    }

    @Override
    public Source open(List<SourceSpec> specs, int queue, SourceContext context) {
        SourceSpec spec = specs.get(0);
        AfPacketOptions options = AfPacketOptions.of(spec);
        int group = options.queues() == 1 ? -1 : PROCESS + spec.address().hashCode() & 0xFFFF;
        AfPacketQueue frames =
                AfPacketQueue.open(context.allocator(), spec.address(), options, group);
        return new CaptureSource(spec, frames, context);
    }
}
