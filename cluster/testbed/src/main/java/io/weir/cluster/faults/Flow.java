package io.weir.cluster.faults;

/** Codes a group of {@link Queries} as a number: protocol and ports. */
final class Flow {
    private static final int PORT_BITS = 16;

    private Flow() {}

    static long of(int proto, int srcPort, int dstPort) {
        return (long) proto << 2 * PORT_BITS | (long) srcPort << PORT_BITS | dstPort;
    }

    static String text(long flow) {
        long ports = (1 << PORT_BITS) - 1;
        return "proto "
                + (flow >> 2 * PORT_BITS)
                + ", "
                + (flow >> PORT_BITS & ports)
                + " -> "
                + (flow & ports);
    }
}
