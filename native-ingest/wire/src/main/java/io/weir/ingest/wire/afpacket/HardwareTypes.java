package io.weir.ingest.wire.afpacket;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;

/** The link types of the frames that interfaces give, by the kernel's ARPHRD_ values. */
final class HardwareTypes {
    /** LINKTYPE_LINUX_SLL2: frames of all interfaces. */
    static final int COOKED = 276;

    private static final int ETHERNET = 1;
    private static final int IEEE802_11 = 105;
    private static final int RADIOTAP = 127;
    private static final int RAW_IP = 101;

    private HardwareTypes() {}

    /**
     * Returns a LINKTYPE_ value.
     *
     * @throws WeirException NOT_SUPPORTED
     */
    static int linkType(String name, int hardwareType) {
        return switch (hardwareType) {
            case 1, 772 -> ETHERNET; // and the loopback
            case 519, 65534, 768, 769, 776, 778 -> RAW_IP; // raw, none, tunnels of IP, SIT, GRE
            case 801 -> IEEE802_11;
            case 803 -> RADIOTAP;
            default ->
                    throw new WeirException(
                            ErrorCode.NOT_SUPPORTED,
                            "afpacket: does not read frames of "
                                    + name
                                    + " (hardware type "
                                    + hardwareType
                                    + ")",
                            "Ethernet, loopback, tunnels of IP and 802.11 in monitor mode are"
                                    + " read; tcpdump -w - | weir run --source 'pcap:-?live=true'"
                                    + " may read others");
        };
    }
}
