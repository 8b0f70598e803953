package io.weir.cluster.kafka.results;

/** Another process has taken this one's place. */
public final class SenderReplacedException extends Exception {
    private static final long serialVersionUID = 1L;
}
