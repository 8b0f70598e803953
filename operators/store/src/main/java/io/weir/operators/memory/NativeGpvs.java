package io.weir.operators.memory;

/**
 * Reads runs of GPVs in C, if there is {@link NativeCode}. The loop prefetches memory on the way,
 * which Java cannot. Stateless; any thread.
 */
public final class NativeGpvs {
    /** True if the C code is loaded. */
    public static final boolean HAVE = NativeCode.LOADED;

    private NativeGpvs() {}

    /**
     * Reads GPVs into entries of a batch, or adds them up.
     *
     * @param plan address of the description of what is read
     * @param call address of the call, with the places of GPVs and entries; the results are left
     *     there
     */
    public static void gather(long plan, long call) {
        NativeCode.gather(plan, call);
    }
}
