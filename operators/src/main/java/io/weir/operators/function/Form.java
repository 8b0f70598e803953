package io.weir.operators.function;

/**
 * One way to write a function, as SHOW FUNCTIONS lists it.
 *
 * @param text {@code ROUND(x, digits)}
 * @param about what it gives, in a few words
 */
public record Form(String text, String about) {}
