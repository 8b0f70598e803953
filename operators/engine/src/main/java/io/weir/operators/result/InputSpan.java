package io.weir.operators.result;

/** Tells which times a node's sources have seen. Any thread. */
public interface InputSpan {
    /** The span of sources without a known begin or end. */
    InputSpan ALWAYS =
            new InputSpan() {
                @Override
                public boolean lacks(long startNs, long endNs) {
                    return false;
                }

                @Override
                public boolean isAway(long startNs, long endNs) {
                    return false;
                }

                @Override
                public long firstNs() {
                    return Long.MIN_VALUE;
                }

                @Override
                public long newestNs() {
                    return Long.MIN_VALUE;
                }
            };

    /** Returns whether a source began, ended, or was away within this time. */
    boolean lacks(long startNs, long endNs);

    /** Returns whether no source brought packets in any of this time. */
    boolean isAway(long startNs, long endNs);

    /** Returns the time of the first packet; MIN_VALUE if it is not known. */
    long firstNs();

    /** Returns the newest time of a source that has ended; MIN_VALUE if none has. */
    long newestNs();
}
