package io.weir.ingest.source;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Names a source: the scheme of its URI, an address that its scheme understands, and options.
 * {@link Sources} reads it from text.
 *
 * @param node what {@code node_id} says of its packets
 * @param options by name, without {@code node}
 */
public record SourceSpec(String scheme, String address, String node, Map<String, String> options) {
    public SourceSpec {
        options = Map.copyOf(options);
    }

    /** A capture: a file or a pipe. */
    public static SourceSpec pcap(String node, Path file) {
        return new SourceSpec(PcapFactory.SCHEME, file.toString(), node, Map.of());
    }

    /** The same source, which other packets than those of this address come from. */
    SourceSpec at(String otherAddress) {
        return new SourceSpec(scheme, otherAddress, node, options);
    }

    /** The same with an option, or with another value of it. */
    public SourceSpec with(String option, String value) {
        Map<String, String> all = new TreeMap<>(options);
        all.put(option, value);
        return new SourceSpec(scheme, address, node, all);
    }

    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /** The address of a source that is a file. */
    public Path path() {
        return Path.of(address);
    }

    /** How messages call it. */
    public String name() {
        return Sources.factory(scheme).name(this);
    }

    /** Whether its packets come whether or not there is room for them. */
    public boolean isLive() {
        return Sources.factory(scheme).isLive(this);
    }

    /** Whether its packets can be read only once. */
    public boolean isReadOnce() {
        return Sources.factory(scheme).isReadOnce(this);
    }
}
