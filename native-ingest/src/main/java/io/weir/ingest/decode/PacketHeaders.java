package io.weir.ingest.decode;

/**
 * What {@link PacketDecoder} found in one packet: the columns of {@code packets}, by their
 * definitions, as machine words. Reused for every packet; whoever owns it reads the fields until
 * the next decode. Integers of 32 bits are unsigned. What a packet does not have is 0.
 */
public final class PacketHeaders {
    /** Link type, any number of VLAN tags, then IP. */
    public static final int STANDARD = 0;

    public static final int SNAP = 1;
    public static final int MPLS = 2;
    public static final int PPPOE = 3;

    /** 4 or 6. */
    public int family;

    /** 0 for IPv4. */
    public long srcHigh;

    public long srcLow;
    public long dstHigh;
    public long dstLow;
    public int srcPort;
    public int dstPort;
    public int proto;

    public int bytes;
    public int frameBytes;
    public int payloadBytes;

    public int tcpFlags;
    public int tcpSeq;
    public int tcpAck;
    public int tcpWindow;

    public int ipTtl;
    public int ipTos;
    public int ipId;
    public int fragmentOffset;
    public int icmpType;
    public int icmpCode;

    public long srcMac;
    public long dstMac;

    /** Of the outermost tag. */
    public int vlanId;

    public int etype;

    /** How IP was reached: {@link #STANDARD}, {@link #SNAP}, {@link #MPLS}, {@link #PPPOE}. */
    public int encapsulation;

    /** IPv4 total length 0: {@link #bytes} is what the wire carried after layer 2. */
    public boolean lengthFromWire;

    /** Whether a TCP, UDP, SCTP, ICMP or ICMPv6 header was read. */
    public boolean transportRead;

    void clearLink() {
        srcMac = 0;
        dstMac = 0;
        vlanId = 0;
        encapsulation = STANDARD;
    }

    void clearTransport() {
        srcPort = 0;
        dstPort = 0;
        tcpFlags = 0;
        tcpSeq = 0;
        tcpAck = 0;
        tcpWindow = 0;
        icmpType = 0;
        icmpCode = 0;
        transportRead = false;
    }
}
