package io.weir.ingest.source;

/**
 * A thing about this machine that makes a source slower, or its packets different.
 *
 * @param about one line
 * @param remedy a command
 */
public record SourceAdvice(String about, String remedy) {}
