package io.weir.cluster.kafka.catalog;

/**
 * A record of the catalogue that cannot be understood: set aside, so that the others go on. A new
 * definition of the name takes its place; a DROP removes it.
 *
 * @param offset where it lies in the topic
 */
public record Fault(String name, long offset, String about) {}
