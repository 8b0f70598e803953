package io.weir.bench.flink;

import java.util.List;

/**
 * The works of {@code weir bench} that are one aggregation, with the same columns as Weir's rows.
 */
final class Works {
    private static final int TCP = 6;
    private static final int SYN = 2;
    private static final int SYN_ACK = 18;
    private static final int ACK = 16;
    private static final long FAMILY = 4;

    private Works() {}

    static Work named(String name, long th) {
        return list(th).stream()
                .filter(work -> work.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no work " + name));
    }

    static List<Work> list(long th) {
        return List.of(
                totals("traffic_count", p -> 0, Works::sum, (k, g) -> words(g.a, g.b)),
                totals("per_source", p -> p.srcAddr, Works::sum, (k, g) -> row(k, g.a, g.b)),
                totals("by_tcp_flags", p -> p.tcpFlags, Works::sum, (k, g) -> words(k, g.a, g.b)),
                totals("by_bytes", p -> p.bytes, (g, p) -> g.a++, (k, g) -> words(k, g.a)),
                new Work(
                        "heavy_hitter",
                        true,
                        p -> true,
                        p -> p.srcAddr << 32 | p.dstAddr,
                        Works::sum,
                        (k, g) ->
                                g.b > th
                                        ? words(FAMILY, 0, k >>> 32, FAMILY, 0, (int) k & MASK, g.b)
                                        : null),
                new Work(
                        "heavy_hitter_packets",
                        true,
                        p -> true,
                        p -> p.srcAddr,
                        Works::sum,
                        (k, g) -> g.a > th ? row(k, g.a, g.b) : null),
                new Work(
                        "new_tcp_connections",
                        true,
                        p -> p.proto == TCP && (p.tcpFlags & SYN_ACK) == SYN,
                        p -> p.dstAddr,
                        (g, p) -> g.a++,
                        (k, g) -> g.a >= th ? row(k, g.a) : null),
                new Work(
                        "ssh_brute_force",
                        true,
                        p -> p.proto == TCP && p.dstPort == 22,
                        p -> p.dstAddr << 32 | p.bytes,
                        (g, p) -> g.addDistinct(p.srcAddr),
                        (k, g) ->
                                g.distinct.size() >= th
                                        ? row(k >>> 32, (int) k & MASK, g.distinct.size())
                                        : null),
                distinct("superspreader", th, p -> true, p -> p.srcAddr, p -> p.dstAddr),
                distinct("port_scan", th, p -> p.proto == TCP, p -> p.srcAddr, p -> p.dstPort),
                distinct("ddos", th, p -> true, p -> p.dstAddr, p -> p.srcAddr),
                synFlood(th),
                slowloris(th));
    }

    private static final long MASK = 0xffff_ffffL;

    private static Work totals(String name, Work.Key key, Work.Update update, Work.Row row) {
        return new Work(name, false, p -> true, key, update, row);
    }

    private static Work distinct(
            String name, long th, Work.Accepts accepts, Work.Key key, Work.Key of) {
        return new Work(
                name,
                true,
                accepts,
                key,
                (g, p) -> g.addDistinct(of.of(p)),
                (k, g) -> g.distinct.size() >= th ? row(k, g.distinct.size()) : null);
    }

    private static Work synFlood(long th) {
        return new Work(
                "syn_flood",
                true,
                p ->
                        p.proto == TCP
                                && ((p.tcpFlags & SYN_ACK) == SYN
                                        || p.tcpFlags == SYN_ACK
                                        || p.tcpFlags == ACK),
                p -> p.tcpFlags == SYN_ACK ? p.srcAddr : p.dstAddr,
                (g, p) -> {
                    if (p.tcpFlags == SYN_ACK) {
                        g.b++;
                    } else if (p.tcpFlags == ACK) {
                        g.c++;
                    } else {
                        g.a++;
                    }
                },
                (k, g) -> g.a + g.b - g.c >= th ? row(k, g.a, g.b, g.c, g.a + g.b - g.c) : null);
    }

    private static Work slowloris(long th) {
        return new Work(
                "slowloris",
                true,
                p -> p.proto == TCP,
                p -> p.dstAddr,
                (g, p) -> {
                    g.a += p.bytes;
                    g.addDistinct(p.srcAddr << 16 | p.srcPort);
                },
                (k, g) -> {
                    int connections = g.distinct.size();
                    boolean isSlow = connections >= 5 && g.a >= 500 && g.a <= th * connections;
                    return isSlow ? row(k, g.a, connections) : null;
                });
    }

    private static void sum(Group group, Packet packet) {
        group.a++;
        group.b += packet.bytes;
    }

    /** A row that begins with an address. */
    private static long[] row(long address, long... more) {
        long[] words = new long[more.length + 3];
        words[0] = FAMILY;
        words[2] = address;
        System.arraycopy(more, 0, words, 3, more.length);
        return words;
    }

    private static long[] words(long... words) {
        return words;
    }
}
