package io.weir.ingest.wire.dpdk;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeLibrary;

/**
 * The C library {@code dpdk}, which this module's jar carries if DPDK's headers were there when it
 * was built. It can be loaded if DPDK is installed. Its code is in {@code
 * native-ingest/wire/src/main/c/dpdk}. Addresses are of native memory. A call that fails returns a
 * negative number, and writes a text of up to {@value #ERROR_BYTES} bytes.
 */
final class DpdkLibrary {
    static final int ERROR_BYTES = 1024;

    private static final boolean LOADED = NativeLibrary.load(DpdkLibrary.class, "dpdk");

    private DpdkLibrary() {}

    /** Starts DPDK, once per process. */
    static native int start(long options, long error);

    /** Plugs a device in and starts it. Returns its port. */
    static native int openPort(long device, long settings, long error);

    /** Plugs it out. Its queues are closed. */
    static native void closePort(int port);

    /** Returns 1 if a port's driver says that its link is down. */
    static native int isLinkDown(int port);

    /** Opens a queue for the calling thread. A core below 0 is any. */
    static native int openQueue(long queue, int core, long error);

    /** Gives the last burst back, and receives the next. Returns its frames. */
    static native int receive(long queue, long frames);

    /** Gives the last burst back, receives the next, and checks its datagrams. */
    static native int receiveBlocks(long queue, long blocks);

    /** Waits until frames are there. Returns how many. */
    static native int waitForFrames(long queue, long timeoutNs);

    /** Frees a queue's buffers. */
    static native void closeQueue(long queue);

    static boolean isLoaded() {
        return LOADED;
    }

    /**
     * Fails if the library is not there.
     *
     * @throws WeirException NOT_SUPPORTED
     */
    static void require() {
        if (!LOADED) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    isBuilt()
                            ? "dpdk: needs DPDK 22.11, which is not installed"
                            : "dpdk: needs DPDK, which was not there when Weir was built",
                    isBuilt()
                            ? "apt-get install librte-ethdev23 librte-mempool-ring23, and a"
                                    + " package librte-net-… with the port's driver"
                            : "apt-get install gcc pkg-config libdpdk-dev, and build Weir again");
        }
    }

    static WeirException unreadable(String problem, String hint) {
        return new WeirException(ErrorCode.UNREADABLE_INPUT, problem, hint);
    }

    private static boolean isBuilt() {
        return DpdkLibrary.class.getResource("/native/dpdk-x86_64.so") != null
                || DpdkLibrary.class.getResource("/native/dpdk-aarch64.so") != null;
    }
}
