package io.weir.ingest.source;

import io.weir.operators.ring.OverflowPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Names a source: the scheme of its URI, an address that its scheme understands, and options.
 * {@link Sources} reads it from text.
 *
 * @param node the value of {@code node_id} in its packets
 * @param options by name, without {@code node}
 * @param notes sentences about what its name covers, and is not read
 */
public record SourceSpec(
        String scheme,
        String address,
        String node,
        Map<String, String> options,
        List<String> notes) {
    /** The option for LATENESS: a packet that is older than the newest by more is late. */
    public static final String LATENESS = "lateness";

    /** The longest stay of packets in the cache. */
    public static final String TIMEOUT = "timeout";

    /** The layout of the GPVs that it brings ready. */
    public static final String LAYOUT = "layout";

    public SourceSpec {
        options = Map.copyOf(options);
        notes = List.copyOf(notes);
    }

    /** Names a source without notes. */
    public SourceSpec(String scheme, String address, String node, Map<String, String> options) {
        this(scheme, address, node, options, List.of());
    }

    /** Names a capture: a file or a pipe. */
    public static SourceSpec pcap(String node, Path file) {
        return new SourceSpec(PcapFactory.SCHEME, file.toString(), node, Map.of());
    }

    /** Returns this source with another address. */
    SourceSpec at(String otherAddress) {
        return new SourceSpec(scheme, otherAddress, node, options, notes);
    }

    /** Returns this source with these notes. */
    SourceSpec noting(List<String> otherNotes) {
        return new SourceSpec(scheme, address, node, options, otherNotes);
    }

    /** Returns this source with an option, or with another value of it. */
    public SourceSpec with(String option, String value) {
        Map<String, String> all = new TreeMap<>(options);
        all.put(option, value);
        return new SourceSpec(scheme, address, node, all, notes);
    }

    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /** The time-out of its cache, if it or its scheme has one of its own. */
    public Optional<Duration> timeout() {
        return ownOrDefault(TIMEOUT);
    }

    /** Its LATENESS, if it or its scheme has one of its own. */
    public Optional<Duration> lateness() {
        return ownOrDefault(LATENESS);
    }

    private Optional<Duration> ownOrDefault(String name) {
        return option(name)
                .or(() -> Optional.ofNullable(Sources.factory(scheme).defaults(this).get(name)))
                .flatMap(Durations::parse);
    }

    /** Returns how it is read, with its own options in place of common ones. */
    SourceConfig config(SourceConfig common) {
        return new SourceConfig(
                lateness().map(Duration::toNanos).orElse(common.latenessNs()),
                timeout()
                        .map(own -> common.cache().withTimeout(own.toNanos()))
                        .orElse(common.cache()));
    }

    /** Returns the longest LATENESS of these. */
    static long latestNs(List<SourceSpec> specs, SourceConfig common) {
        return specs.stream().mapToLong(spec -> spec.config(common).latenessNs()).max().orElse(0);
    }

    /** Returns its URI without the node, for people. */
    public String uri() {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        new TreeMap<>(options).forEach((name, value) -> query.add(name + "=" + escaped(value)));
        return scheme + ":" + escaped(address) + query;
    }

    private static String escaped(String text) {
        return text.replace("%", "%25").replace("?", "%3F").replace("&", "%26");
    }

    /** Returns the address of a source that is a file. */
    public Path path() {
        return Path.of(address);
    }

    /** Returns its name in messages. */
    public String name() {
        return Sources.factory(scheme).name(this);
    }

    /**
     * Returns advice about this machine.
     *
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT: it cannot be read at all
     */
    public List<SourceAdvice> advice() {
        SourceFactory factory = Sources.factory(scheme);
        factory.check(this);
        return factory.advice(this);
    }

    /** Returns whether its packets come at their own time. */
    public boolean isLive() {
        return Sources.factory(scheme).isLive(this);
    }

    /** Returns what becomes of its blocks that find a ring full. */
    public OverflowPolicy overflow() {
        return Sources.factory(scheme).overflow(this);
    }

    /** Returns whether its packets can be read only once. */
    public boolean isReadOnce() {
        return Sources.factory(scheme).isReadOnce(this);
    }
}
