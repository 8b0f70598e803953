package io.weir.ingest.wire.afpacket;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;

/** Makes errors of an interface from the kernel's numbers. */
final class AfPacketErrors {
    private static final String CAPABILITY =
            "run it as root, or give it CAP_NET_RAW: AmbientCapabilities=CAP_NET_RAW in its unit";

    private AfPacketErrors() {}

    /**
     * @param text the call, and what the kernel said of it
     */
    static WeirException opening(String name, int number, String text) {
        String what = AfPacketFactory.SCHEME + ":" + name + " cannot be opened (" + text + ")";
        return switch (number) {
            case AfPacket.EPERM, AfPacket.EACCES -> notAllowed(name);
            case AfPacket.ENODEV, AfPacket.ENXIO, AfPacket.ENETDOWN ->
                    new WeirException(ErrorCode.SOURCE_GONE, what, "ip link show");
            case AfPacket.ENOMEM ->
                    new WeirException(
                            ErrorCode.OUT_OF_NATIVE_MEMORY,
                            what,
                            "a smaller ring=, or fewer queues=");
            case AfPacket.EOPNOTSUPP ->
                    new WeirException(
                            ErrorCode.UNREADABLE_INPUT,
                            what,
                            "stamps=software, if the card makes no stamps");
            default -> new WeirException(ErrorCode.UNREADABLE_INPUT, what);
        };
    }

    static WeirException notAllowed(String name) {
        return new WeirException(
                ErrorCode.UNREADABLE_INPUT,
                AfPacketFactory.SCHEME + ":" + name + " may not be read: CAP_NET_RAW is missing",
                CAPABILITY);
    }

    static WeirException gone(String name, int number) {
        String why = number == AfPacket.ENETDOWN ? "is down" : "fails with error " + number;
        return new WeirException(
                ErrorCode.SOURCE_GONE,
                AfPacketFactory.SCHEME + ":" + name + ": the interface " + why + " or gone",
                "ip link show");
    }
}
