package io.weir.ingest.wire.send;

import java.nio.ByteBuffer;

/** Takes the datagrams of a {@link BlockEncoder}. */
@FunctionalInterface
interface DatagramSink {
    /**
     * Takes one datagram, whose bytes are its own until this returns.
     *
     * @param datagram from its position to its limit
     */
    void datagram(ByteBuffer datagram, int packets);
}
