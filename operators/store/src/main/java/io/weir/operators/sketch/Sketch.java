package io.weir.operators.sketch;

/** A summary of a group's values in bounded memory, which can merge another. One thread. */
abstract class Sketch {
    /** The bytes that its pool has counted for it. */
    int countedBytes;

    /** Returns the heap that it takes now, or more. It must be cheap: each update calls it. */
    abstract int heldBytes();

    boolean hasGrown() {
        return heldBytes() != countedBytes;
    }

    /** Makes one as empty as this was at first. */
    abstract Sketch another();

    /**
     * @param other of the same class; stays as it is
     */
    abstract void merge(Sketch other);

    /** Returns the library's bytes of it. */
    abstract byte[] bytes();
}
