package io.weir.operators.graph;

/**
 * A string with a number. The number is this string's as long as this object can be reached; later
 * it may be another's. So the owner of words with the number keeps the object. Immutable.
 */
public final class Symbol {
    private final int id;
    private final String text;

    Symbol(int id, String text) {
        this.id = id;
        this.text = text;
    }

    /** The VARCHAR value inside kernels, from 0 up. */
    public int id() {
        return id;
    }

    public String text() {
        return text;
    }
}
