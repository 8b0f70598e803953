package io.weir.operators.result;

/** The span of event time in which a node's sources have packets. Any thread. */
public interface InputSpan {
    /** The span of sources without a known begin or end. */
    InputSpan ALWAYS = of(Long.MIN_VALUE, Long.MAX_VALUE);

    /** Returns the time of the first packet; MIN_VALUE while it is not known. */
    long begunNs();

    /** Returns the time after which nothing was seen; MAX_VALUE until the sources have ended. */
    long endedNs();

    /** Returns a span that does not change. */
    static InputSpan of(long begunNs, long endedNs) {
        return new InputSpan() {
            @Override
            public long begunNs() {
                return begunNs;
            }

            @Override
            public long endedNs() {
                return endedNs;
            }
        };
    }
}
