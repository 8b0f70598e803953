package io.weir.cluster.node;

/**
 * An event of a query with WHEN.
 *
 * @param atNs from when the query counts, or until when it did, or when its set was full
 * @param upstream the query whose row woke it; none for an end
 * @param key the binding that it woke, as {@code dst_addr = 10.0.0.1}; empty without values
 * @param windowEndNs of that row
 */
public record Event(
        String query, Kind kind, long atNs, String upstream, String key, long windowEndNs) {
    /** Either end of an activation, or a set of bindings that is full. */
    public enum Kind {
        WOKEN,
        ENDED,
        FULL
    }
}
