package io.weir.ingest.source;

import io.weir.operators.ring.OverflowPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the sources of one scheme. {@link Sources} finds factories by {@link
 * java.util.ServiceLoader}. Stateless; any thread.
 */
public interface SourceFactory {
    /** Returns the part before the first colon of a URI. */
    String scheme();

    /** Returns the options that its URIs take, besides {@code node}. */
    Set<String> options();

    /**
     * Returns the values of options that every scheme takes, for a source that does not name them.
     * Without them, those of the command count.
     */
    default Map<String, String> defaults(SourceSpec spec) {
        return Map.of();
    }

    /**
     * Returns the sources that a URI names, as a folder names its files.
     *
     * @throws io.weir.operators.error.WeirException INVALID_OPTION: an option has an impossible
     *     value; UNREADABLE_INPUT
     */
    List<SourceSpec> sources(SourceSpec named);

    /** Returns its name in messages. */
    default String name(SourceSpec spec) {
        return scheme() + ":" + spec.address();
    }

    /** Returns whether its packets come at their own time. */
    default boolean isLive(SourceSpec spec) {
        return true;
    }

    /** Returns the rule for full rings. A live source may also wait, if nothing is lost then. */
    default OverflowPolicy overflow(SourceSpec spec) {
        return isLive(spec) ? OverflowPolicy.DROP : OverflowPolicy.BLOCK;
    }

    /** Returns whether its packets can be read only once. */
    default boolean isReadOnce(SourceSpec spec) {
        return true;
    }

    /** Returns whether both name the same thing. */
    default boolean isSame(SourceSpec one, SourceSpec other) {
        return one.address().equals(other.address());
    }

    /**
     * Fails if it cannot be read at all, so that no query starts in vain.
     *
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT
     */
    void check(SourceSpec spec);

    /** Returns advice about this machine, for a source that {@link #check} lets pass. */
    default List<SourceAdvice> advice(SourceSpec spec) {
        return List.of();
    }

    /**
     * Looks why no packet can come to a source that is open, as when its link is down. The look
     * costs little.
     */
    default Optional<String> silence(SourceSpec spec) {
        return Optional.empty();
    }

    /**
     * Returns the number of receive queues. A thread reads each of them, and writes to rings of its
     * own.
     */
    default int queues(SourceSpec spec) {
        return 1;
    }

    /**
     * Opens one queue of a live source, or several finite sources, which one thread merges by time.
     *
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT, NOT_A_CAPTURE,
     *     OUT_OF_NATIVE_MEMORY; nothing stays open
     */
    Source open(List<SourceSpec> specs, int queue, SourceContext context);
}
