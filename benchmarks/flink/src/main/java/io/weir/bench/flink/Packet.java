package io.weir.bench.flink;

/**
 * A packet on its way through a job; one object for all of them, as Flink's object reuse allows.
 */
public final class Packet {
    public long tsNs;
    public long srcAddr;
    public long dstAddr;
    public int srcPort;
    public int dstPort;
    public int bytes;
    public int tcpFlags;
    public int proto;
}
