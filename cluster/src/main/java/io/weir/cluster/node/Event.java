package io.weir.cluster.node;

/**
 * What happened to a query with WHEN.
 *
 * @param atNs from when the query counts, or until when it did
 * @param upstream whose row woke it; of an end none
 * @param windowEndNs of that row
 */
public record Event(String query, Kind kind, long atNs, String upstream, long windowEndNs) {
    /** Either end of an activation. */
    public enum Kind {
        WOKEN,
        ENDED
    }
}
