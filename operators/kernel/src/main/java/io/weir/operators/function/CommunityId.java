package io.weir.operators.function;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Set;

/**
 * The Community ID of a flow, version 1: the same text for both directions, in Zeek, Suricata and
 * Wireshark too. Source: github.com/corelight/community-id-spec. Stateless.
 */
public final class CommunityId {
    private static final int ICMP = 1;
    private static final int ICMP6 = 58;

    /** Protocols whose ports are part of the ID: TCP, UDP, SCTP. */
    private static final Set<Long> WITH_PORTS = Set.of(6L, 17L, 132L);

    /** Types of ICMP messages with the type of their answer, both ways. */
    private static final Map<Long, Long> ANSWERS =
            Map.of(
                    8L, 0L, 0L, 8L, 13L, 14L, 14L, 13L, 15L, 16L, 16L, 15L, 17L, 18L, 18L, 17L, 10L,
                    9L, 9L, 10L);

    private static final Map<Long, Long> ANSWERS6 =
            Map.ofEntries(
                    Map.entry(128L, 129L),
                    Map.entry(129L, 128L),
                    Map.entry(130L, 131L),
                    Map.entry(131L, 130L),
                    Map.entry(133L, 134L),
                    Map.entry(134L, 133L),
                    Map.entry(135L, 136L),
                    Map.entry(136L, 135L),
                    Map.entry(139L, 140L),
                    Map.entry(140L, 139L),
                    Map.entry(144L, 145L),
                    Map.entry(145L, 144L));

    private CommunityId() {}

    /**
     * Returns whether the ID needs the type and code of the message, which the ports do not say.
     */
    public static boolean needsType(long protocol) {
        return protocol == ICMP || protocol == ICMP6;
    }

    /**
     * @param family 4 or 6, of both addresses; each has a high and a low word
     * @param type and {@code code}: of an ICMP message; of others they have no meaning
     */
    public static String of(
            long family,
            long sourceHigh,
            long source,
            long targetHigh,
            long target,
            long sourcePort,
            long targetPort,
            long protocol,
            long type,
            long code) {
        long from = sourcePort;
        long to = targetPort;
        boolean oneWay = false;
        if (needsType(protocol)) {
            Long answer = (protocol == ICMP ? ANSWERS : ANSWERS6).get(type);
            from = type;
            to = answer == null ? code : answer;
            oneWay = answer == null;
        }
        boolean ports = needsType(protocol) || WITH_PORTS.contains(protocol);
        int order = Long.compareUnsigned(sourceHigh, targetHigh);
        order = order == 0 ? Long.compareUnsigned(source, target) : order;
        order = order == 0 && ports ? Long.compare(from, to) : order;
        boolean swapped = order > 0 && !oneWay;
        ByteBuffer bytes = ByteBuffer.allocate(64).putShort((short) 0);
        put(bytes, family, swapped ? targetHigh : sourceHigh, swapped ? target : source);
        put(bytes, family, swapped ? sourceHigh : targetHigh, swapped ? source : target);
        bytes.put((byte) protocol).put((byte) 0);
        if (ports) {
            bytes.putShort((short) (swapped ? to : from)).putShort((short) (swapped ? from : to));
        }
        return "1:" + Base64.getEncoder().encodeToString(hash(bytes.flip()));
    }

    private static void put(ByteBuffer bytes, long family, long high, long low) {
        if (family == 4) {
            bytes.putInt((int) low);
        } else {
            bytes.putLong(high).putLong(low);
        }
    }

    private static byte[] hash(ByteBuffer bytes) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(bytes);
            return sha1.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-1", e);
        }
    }
}
