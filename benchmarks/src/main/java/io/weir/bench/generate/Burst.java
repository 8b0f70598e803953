package io.weir.bench.generate;

/**
 * Packets of one flow in quick succession, which become a GPV. {@link Traffic#next} refills it in
 * place. Addresses as in {@link io.weir.operators.graph.Inet}.
 */
public final class Burst {
    static final int MOST_PACKETS = 8;
    static final int TCP = 6;
    static final int UDP = 17;

    int family;
    long srcHigh;
    long srcLow;
    long dstHigh;
    long dstLow;
    int srcPort;
    int dstPort;
    int proto;
    int count;
    long startNs;

    /** Microseconds from the start, which never go down; the first is 0. */
    final int[] deltaMicros = new int[MOST_PACKETS];

    /** IP lengths, at most 1500. */
    final int[] bytes = new int[MOST_PACKETS];

    /** 0 without TCP. */
    final int[] tcpFlags = new int[MOST_PACKETS];

    /** Number of the first payload byte; 0 without TCP. */
    final int[] tcpSeq = new int[MOST_PACKETS];

    int tcpAck;
    int ipId;
    int ttl;

    public int family() {
        return family;
    }

    public long srcHigh() {
        return srcHigh;
    }

    public long srcLow() {
        return srcLow;
    }

    /** Packets. */
    public int count() {
        return count;
    }

    public long totalBytes() {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += bytes[i];
        }
        return total;
    }

    /** Bytes of the IP and transport headers of each packet. */
    int headerBytes() {
        return (family == 4 ? 20 : 40) + (proto == TCP ? 20 : 8);
    }

    /** Bytes of payload of packet {@code i}. */
    int payloadBytes(int i) {
        return bytes[i] - headerBytes();
    }
}
