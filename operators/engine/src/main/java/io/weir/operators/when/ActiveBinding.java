package io.weir.operators.when;

import java.util.List;

/**
 * A binding that counts now, for people.
 *
 * @param key in the order of the equations
 * @param values of the row that woke it, in the order of the correlation; null is NULL
 * @param fromNs from when it counts
 * @param untilNs until when, as far as it is known; {@link Long#MAX_VALUE} if it is not
 * @param rows that it has made; {@link #UNCOUNTED} if workers make them
 */
public record ActiveBinding(
        String query, List<Object> key, List<Object> values, long fromNs, long untilNs, long rows) {
    public static final long UNCOUNTED = -1;
}
