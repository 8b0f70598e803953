package io.weir.cluster.kafka.catalog;

/**
 * A record of the catalogue that cannot be understood. It is set aside, so that the others go on. A
 * new definition of the name replaces it; a DROP removes it.
 *
 * @param offset of the record in the topic
 */
public record Fault(String name, long offset, String about) {}
