package io.weir.operators.merge;

/**
 * Who sends partials.
 *
 * @param worker its name, for good
 * @param life one of its processes, from start to end; what it has not finished, none does
 */
public record Source(String worker, String life) {}
