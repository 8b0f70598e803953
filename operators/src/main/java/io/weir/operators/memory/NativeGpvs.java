package io.weir.operators.memory;

/**
 * What C does with runs of GPVs, where there is {@link NativeCode}: it reads them in a loop that
 * asks for memory on the way, which Java cannot. Stateless; any thread.
 */
public final class NativeGpvs {
    /** Whether there is that. */
    public static final boolean HAVE = NativeCode.LOADED;

    private NativeGpvs() {}

    /**
     * Reads GPVs into entries of a batch, or adds them up.
     *
     * @param plan address of what is read of them
     * @param call address of where they lie, and where entries go; what came of it is left there
     */
    public static void gather(long plan, long call) {
        NativeCode.gather(plan, call);
    }
}
