package io.weir.ingest.wire;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeLibrary;

/**
 * The C library {@code sockets}, which this module's jar carries if a C compiler built it. Its code
 * is in {@code native-ingest/wire/src/main/c/sockets}.
 */
public final class SocketLibrary {
    private static final boolean LOADED = NativeLibrary.load(SocketLibrary.class, "sockets");

    private SocketLibrary() {}

    /** Returns whether it is loaded. */
    public static boolean isLoaded() {
        return LOADED;
    }

    /**
     * Fails if the library is not there.
     *
     * @param scheme of the source that needs it
     * @throws WeirException NOT_SUPPORTED
     */
    public static void require(String scheme) {
        if (!LOADED) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    scheme + ": needs Weir's C library of sockets, which this build has not",
                    "apt-get install gcc libc6-dev, and build Weir again; -Dweir.native=false also"
                            + " turns it off");
        }
    }
}
