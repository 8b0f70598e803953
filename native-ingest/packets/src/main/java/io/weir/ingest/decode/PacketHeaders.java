package io.weir.ingest.decode;

/**
 * The result of {@link PacketDecoder} for one packet: the columns of {@code packets}, by their
 * definitions, as machine words. It is reused for every packet. Its owner reads the fields until
 * the next decode. Integers of 32 bits are unsigned. A value that a packet does not have is 0.
 */
public final class PacketHeaders {
    /** Encapsulation: link type, any number of VLAN tags, then IP. */
    public static final int STANDARD = 0;

    public static final int SNAP = 1;
    public static final int MPLS = 2;
    public static final int PPPOE = 3;

    public static final int UNKNOWN_DIRECTION = 0;

    /** The packet came to the machine that captured it, or passed by. */
    public static final int IN = 1;

    /** The machine that captured the packet has sent it. */
    public static final int OUT = 2;

    /** A bit of {@link #ipFlags}: this is a fragment and there are later ones. */
    public static final int MORE_FRAGMENTS = 1;

    /** Source of the length: the header's own length field. */
    public static final int IP_HEADER = 0;

    /** Source of the length if that field is 0: the bytes on the wire after layer 2. */
    public static final int WIRE = 1;

    /** Source of the length if that field is 0: the jumbo payload option of IPv6. */
    public static final int JUMBO_OPTION = 2;

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
    public int captureBytes;
    public int payloadBytes;

    public int tcpFlags;
    public int tcpSeq;
    public int tcpAck;
    public int tcpWindow;

    public int ipTtl;
    public int ipTos;
    public int ipId;
    public int fragmentOffset;

    /** The three bits before the fragment offset: 4 reserved, 2 DF, {@link #MORE_FRAGMENTS}. */
    public int ipFlags;

    public int icmpType;
    public int icmpCode;

    public long srcMac;
    public long dstMac;

    /** The id in the outermost tag. */
    public int vlanId;

    /** The priority in the outermost tag. */
    public int vlanPriority;

    /** The id in the second tag. */
    public int innerVlanId;

    /** {@link #UNKNOWN_DIRECTION}, {@link #IN} or {@link #OUT}. */
    public int direction;

    /** The index of the interface that the link header names; -1 if it names none. */
    public long inIf;

    public int etype;

    /** The encapsulation of IP: {@link #STANDARD}, {@link #SNAP}, {@link #MPLS}, {@link #PPPOE}. */
    public int encapsulation;

    /** The source of {@link #bytes}: {@link #IP_HEADER}, {@link #WIRE}, {@link #JUMBO_OPTION}. */
    public int lengthFrom;

    /** Code of the {@link HeaderGap}; 0 if there is none. */
    public int gap;

    /**
     * Bytes of the TCP, UDP, SCTP, ICMP or ICMPv6 header that could be read, of its fixed part at
     * most.
     */
    public int transportBytes;

    /** Key of the {@link Foreign} protocol of a NOT_IP frame. */
    int foreign;

    /** Returns the key of the {@link Foreign} protocol, after {@link Exclusion#NOT_IP}. */
    public int foreign() {
        return foreign;
    }

    /** Returns whether this is a packet with ports, and they could not be read. */
    public boolean lacksPorts() {
        boolean has = proto == Transport.TCP || proto == Transport.UDP || proto == Transport.SCTP;
        return has && transportBytes < Transport.PORTS_END;
    }

    /** Returns whether this is a TCP packet whose flags could not be read. */
    public boolean lacksTcpFlags() {
        return proto == Transport.TCP && transportBytes < Transport.TCP_FLAGS_END;
    }

    void clearLink() {
        srcMac = 0;
        dstMac = 0;
        vlanId = 0;
        vlanPriority = 0;
        innerVlanId = 0;
        direction = UNKNOWN_DIRECTION;
        inIf = -1;
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
        transportBytes = 0;
        gap = 0;
    }
}
