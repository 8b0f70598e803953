package io.weir.operators.function;

/**
 * One way to write a function, as SHOW FUNCTIONS lists it.
 *
 * @param text {@code ROUND(x, digits)}
 * @param about the value in a few words
 */
public record Form(String text, String about) {}
