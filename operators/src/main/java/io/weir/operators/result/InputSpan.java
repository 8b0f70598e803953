package io.weir.operators.result;

/** From when until when a node's sources have packets, in event time. Any thread. */
public interface InputSpan {
    /** Of sources of which that is not known. */
    InputSpan ALWAYS = of(Long.MIN_VALUE, Long.MAX_VALUE);

    /** Time of the first packet; MIN_VALUE as long as that is not known. */
    long begunNs();

    /** Behind this time nothing was seen; MAX_VALUE until the sources have ended. */
    long endedNs();

    /** One that does not change. */
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
