package io.weir.cluster.kafka.results;

/** Another process has taken this worker's place. */
final class Replaced extends Exception {
    private static final long serialVersionUID = 1L;
}
