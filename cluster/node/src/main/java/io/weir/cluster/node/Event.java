package io.weir.cluster.node;

/**
 * An event of a query with WHEN.
 *
 * @param atNs from when the query counts, or until when it did
 * @param upstream the query whose row woke it; none for an end
 * @param windowEndNs of that row
 */
public record Event(String query, Kind kind, long atNs, String upstream, long windowEndNs) {
    /** Either end of an activation. */
    public enum Kind {
        WOKEN,
        ENDED
    }
}
