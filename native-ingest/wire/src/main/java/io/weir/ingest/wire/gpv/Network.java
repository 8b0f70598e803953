package io.weir.ingest.wire.gpv;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.memory.Memory;
import java.util.List;
import java.util.Optional;

/**
 * Addresses that begin with the same bits. IPv4 addresses are written as the IPv6 addresses {@code
 * ::ffff:a.b.c.d}, as the kernel does.
 */
public record Network(long high, long low, int bits, String address) {
    static final Network LOOPBACK = parse("127.0.0.1").orElseThrow();
    static final Network LOOPBACK_V6 = parse("::1").orElseThrow();

    /** The most that C takes: structs GpvAllowed of gpv/allowed.h. */
    public static final int MOST = 64;

    /** Their bytes. */
    public static final int BYTES = 24;

    private static final long MAPPED = 0xFFFF_0000_0000L;
    private static final int MAPPED_BITS = 96;
    private static final int ALL_BITS = 128;

    /** Reads an address, or an address, a slash, and a number of bits. */
    static Optional<Network> parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        Optional<Inet> inet = InetText.parse(address);
        boolean v4 = inet.isPresent() && inet.get().family() == 4;
        int first = v4 ? MAPPED_BITS : 0;
        int bits = slash < 0 ? ALL_BITS : bits(text.substring(slash + 1), first);
        if (inet.isEmpty() || bits < first || bits > ALL_BITS) {
            return Optional.empty();
        }
        long low = v4 ? MAPPED | inet.get().low() : inet.get().low();
        return Optional.of(new Network(inet.get().high(), low, bits, address));
    }

    /** Writes them for C. */
    public static void putAll(long address, List<Network> all) {
        long to = address;
        for (Network network : all) {
            Memory.putLong(to, network.high);
            Memory.putLong(to + 8, network.low);
            Memory.putInt(to + 16, network.bits);
            to += BYTES;
        }
    }

    private static int bits(String text, int first) {
        boolean number = text.length() <= 3 && text.chars().allMatch(Character::isDigit);
        return number && !text.isEmpty() ? first + Integer.parseInt(text) : -1;
    }

    /** Returns whether this is a single address. */
    boolean isOne() {
        return bits == ALL_BITS;
    }

    boolean isLoopback() {
        boolean v4 = high == 0 && low >>> 24 == (MAPPED | 0x7F00_0000L) >>> 24;
        return v4 || high == 0 && low == 1;
    }
}
