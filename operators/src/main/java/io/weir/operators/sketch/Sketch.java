package io.weir.operators.sketch;

/** A summary of a group's values in bounded memory, which can take another's in. One thread. */
abstract class Sketch {
    /** The most that one of these takes, in bytes. */
    abstract int maxBytes();

    /** As empty as this was at first. */
    abstract Sketch another();

    /**
     * @param other of the same class; stays as it is
     */
    abstract void merge(Sketch other);

    /** The library's bytes of it. */
    abstract byte[] bytes();
}
