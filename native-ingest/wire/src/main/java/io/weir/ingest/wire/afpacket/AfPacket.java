package io.weir.ingest.wire.afpacket;

/**
 * C that receives frames by AF_PACKET: {@code native-ingest/wire/src/main/c/sockets/afpacket.h}.
 * The places are those of its struct Settings, and C's assertions hold them.
 */
final class AfPacket {
    static final int NAME = 0;
    static final int BLOCK_BYTES = 16;
    static final int BLOCKS = 24;
    static final int BLOCK_MS = 32;
    static final int SNAP = 40;
    static final int PROMISCUOUS = 48;
    static final int DIRECTION = 56;
    static final int FANOUT = 64;
    static final int HARDWARE = 72;
    static final int HARDWARE_TYPE = 80;
    static final int TEXT = 88;
    static final int BYTES = 248;

    /** The place of a ring's count of packets that the kernel has dropped. */
    static final int LOST = 0;

    /** The longest name of an interface. */
    static final int MOST_NAME_BYTES = 15;

    // Numbers of errors, which are negative results.
    static final int EPERM = 1;
    static final int ENXIO = 6;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int ENODEV = 19;
    static final int EOPNOTSUPP = 95;
    static final int ENETDOWN = 100;

    private AfPacket() {}

    /** Returns the address of a ring, or a negative number of an error. */
    static native long open(long settings);

    static native long receive(long ring, long frames, long most);

    static native long poll(long ring, long timeoutMs);

    static native void close(long ring);
}
