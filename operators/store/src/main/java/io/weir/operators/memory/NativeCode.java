package io.weir.operators.memory;

/**
 * A few lines of C for memory operations that Java lacks. Without the {@link NativeLibrary} its
 * users do without.
 */
final class NativeCode {
    static final boolean LOADED = load();

    private NativeCode() {}

    /** Prefetches the lines from one address to another. */
    static native void ask(long from, long to);

    /** Does {@link Prefetch#homes}, and also {@link #ask}. */
    static native void homes(
            long keys,
            int step,
            int count,
            int words,
            long table,
            long slots,
            int stride,
            long zero,
            long oldSlots,
            long unsplit,
            int lines,
            long from,
            long to);

    /** Does {@link NativeSlots#place}. */
    static native void place(
            long from, long until, int keyBytes, int stride, long table, long slots, long oldSlots);

    /** Does {@link NativeGpvs#gather}. */
    static native void gather(long plan, long call);

    /** Detects the special instructions of this machine. */
    private static native void choose();

    static native void zero(long address, long bytes);

    /**
     * Returns the address of so many zero bytes on pages of their own; 0 when the machine refuses.
     */
    static native long map(long bytes);

    static native void unmap(long address, long bytes);

    /**
     * Enlarges a piece of {@link #map} without a copy.
     *
     * @param kept so many bytes stay as they are, and zeros follow
     * @return its new address; 0 when the machine refuses, and nothing has changed
     */
    static native long remap(long address, long kept, long bytes, long newBytes);

    private static boolean load() {
        if (!NativeLibrary.load(NativeCode.class, "memory")) {
            return false;
        }
        try {
            choose();
            return true;
        } catch (UnsatisfiedLinkError cannot) {
            return false;
        }
    }
}
