package io.weir.operators.sketch;

/** A summary of a group's values in bounded memory, which can take another's in. One thread. */
abstract class Sketch {
    /** What its pool has counted for it. */
    int countedBytes;

    /** Heap that it takes as it is now, or more. Cheap: it is asked at each update. */
    abstract int heldBytes();

    boolean hasGrown() {
        return heldBytes() != countedBytes;
    }

    /** As empty as this was at first. */
    abstract Sketch another();

    /**
     * @param other of the same class; stays as it is
     */
    abstract void merge(Sketch other);

    /** The library's bytes of it. */
    abstract byte[] bytes();
}
