package io.weir.ingest.cache;

import io.weir.operators.memory.NativeLibrary;

/**
 * C that reads frames and groups their packets, over the memory of a {@link GpvCache}. Without the
 * {@link NativeLibrary} Java does all of it.
 */
public final class NativeFrames {
    private static final boolean LOADED = NativeLibrary.load(NativeFrames.class, "packets");

    /** The result of {@link #pass} if a ring must make room before it is called again. */
    static final int ROOM = 1;

    private NativeFrames() {}

    /** Returns whether it is there. */
    public static boolean isLoaded() {
        return LOADED;
    }

    /** Calls pass of {@code native-ingest/wire/src/main/c/packets/frames.h}. */
    static native int pass(long frames, long cache);
}
