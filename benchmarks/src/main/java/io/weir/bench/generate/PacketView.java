package io.weir.bench.generate;

import java.util.function.Consumer;

/** Shows traffic packet by packet, for oracles and for systems that know no GPVs. One thread. */
public final class PacketView {
    private final Burst burst = new Burst();
    private int packet;

    private PacketView() {}

    /** Shows each packet to the consumer, burst after burst; the view is the same for all. */
    public static void each(TrafficShape shape, Consumer<PacketView> consumer) {
        PacketView view = new PacketView();
        Traffic traffic = new Traffic(shape);
        while (traffic.next(view.burst)) {
            for (view.packet = 0; view.packet < view.burst.count; view.packet++) {
                consumer.accept(view);
            }
        }
    }

    public long tsNs() {
        return burst.startNs + burst.deltaMicros[packet] * 1000L;
    }

    public int family() {
        return burst.family;
    }

    public long srcHigh() {
        return burst.srcHigh;
    }

    public long srcLow() {
        return burst.srcLow;
    }

    public long dstHigh() {
        return burst.dstHigh;
    }

    public long dstLow() {
        return burst.dstLow;
    }

    public int srcPort() {
        return burst.srcPort;
    }

    public int dstPort() {
        return burst.dstPort;
    }

    public int proto() {
        return burst.proto;
    }

    public int bytes() {
        return burst.bytes[packet];
    }

    public int payloadBytes() {
        return burst.payloadBytes(packet);
    }

    public int tcpFlags() {
        return burst.tcpFlags[packet];
    }

    /** As a signed word. */
    public int tcpSeq() {
        return burst.tcpSeq[packet];
    }
}
