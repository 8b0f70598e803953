package io.weir.ingest.wire.send;

import io.weir.ingest.wire.gpv.WireBlock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The settings of a {@link GpvSender}.
 *
 * @param to the receivers: HOST or HOST:PORT; flows are balanced among several
 * @param single whether a datagram has one GPV and no watermark, as those of switches
 * @param mostBytes of a datagram
 * @param speed of a replay in the rhythm of the packets' times; 1 is as recorded
 * @param packetsPerSecond at most
 * @param most ends after so many packets
 * @param length ends after this time
 * @param source the number that the sender calls itself by
 */
public record SendOptions(
        List<String> to,
        boolean single,
        int mostBytes,
        OptionalDouble speed,
        OptionalDouble packetsPerSecond,
        OptionalLong most,
        Optional<Duration> length,
        int source) {
    /** The payload of an Ethernet frame with IPv4 and UDP. */
    public static final int USUAL_BYTES = 1472;

    public static final int MOST_BYTES = WireBlock.MOST_BYTES;

    /** The least that has room for the header and small GPVs. */
    public static final int LEAST_BYTES = 256;

    /** The pace of captures: a receiver on the same machine takes it without losses. */
    public static final double USUAL_PACKETS_PER_SECOND = 500_000;

    public SendOptions {
        to = List.copyOf(to);
    }

    /**
     * Returns the pace of packets.
     *
     * @param live whether they come at a pace of their own
     */
    SendPace pace(boolean live) {
        boolean usual = !live && speed.isEmpty();
        return new SendPace(
                packetsPerSecond.orElse(usual ? USUAL_PACKETS_PER_SECOND : 0),
                speed.orElse(0),
                most.orElse(Long.MAX_VALUE),
                length.map(Duration::toNanos).orElse(Long.MAX_VALUE));
    }
}
