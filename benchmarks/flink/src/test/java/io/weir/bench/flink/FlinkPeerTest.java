package io.weir.bench.flink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jobs against a map of groups. What the works mean is checked by every benchmark: Weir, C++ and
 * DuckDB must have the same hash.
 */
class FlinkPeerTest {
    private static final long SEED = Long.getLong("weir.seed", 1);
    private static final int PACKETS = 20_000;

    @TempDir private static Path directory;

    private static PacketTable table;

    static List<Work> works() {
        return Works.list(1).stream()
                .map(work -> Works.named(work.name(), work.name().equals("slowloris") ? 50 : 1))
                .toList();
    }

    @BeforeAll
    static void write() throws IOException {
        Random random = new Random(SEED);
        ByteBuffer packets = ByteBuffer.allocate(PACKETS * 32).order(ByteOrder.LITTLE_ENDIAN);
        int[] flags = {0, 2, 16, 18, 24};
        for (int p = 0; p < PACKETS; p++) {
            packets.putLong(1_700_000_000_000_000_000L + p * 200_000L);
            // Addresses of both halves of the space.
            packets.putInt(random.nextInt(50) - 25).putInt(random.nextInt(50) - 25);
            packets.putShort((short) random.nextInt(1 << 16));
            packets.putShort((short) (20 + random.nextInt(4)));
            packets.putInt(40 + random.nextInt(20));
            packets.putShort((short) flags[random.nextInt(flags.length)]);
            packets.put((byte) (random.nextInt(4) == 0 ? 17 : 6)).put((byte) 0);
            packets.putInt(random.nextInt());
        }
        Path file = directory.resolve("packets");
        Files.write(file, packets.array());
        table = new PacketTable(file);
    }

    @ParameterizedTest
    @MethodSource("works")
    void jobsCountWhatAMapCounts(Work work) throws Exception {
        RowHash expected = counted(work);
        FlinkPeer.run(table, work);
        assertEquals(expected.toString(), Pass.rows().toString(), "seed " + SEED);
        assertTrue(!expected.toString().startsWith("0 "), "no rows to look at");
        assertTrue(Pass.tookNs() >= 0);
    }

    /** Flink itself merges only windows that grow, such as sessions. */
    @ParameterizedTest
    @MethodSource("works")
    void partsOfAGroupAreMergedToTheWhole(Work work) {
        Seconds seconds = new Seconds(work);
        Random random = new Random(SEED);
        Group whole = seconds.createAccumulator();
        List<Group> parts = List.of(new Group(), new Group(), new Group());
        Packet packet = new Packet();
        for (int p = 0; p < table.packets(); p++) {
            table.read(p, packet);
            if (work.accepts().accepts(packet)) {
                seconds.add(packet, whole);
                seconds.add(packet, parts.get(random.nextInt(2))); // the third has none
            }
        }
        Group merged = seconds.merge(seconds.merge(parts.get(2), parts.get(0)), parts.get(1));
        assertArrayEquals(work.row().of(7, whole), work.row().of(7, merged), "seed " + SEED);
        assertEquals(sums(whole), sums(merged), "seed " + SEED);
        assertEquals(whole.distinct, merged.distinct, "seed " + SEED);
    }

    private static List<Long> sums(Group group) {
        return List.of(group.a, group.b, group.c);
    }

    private static RowHash counted(Work work) {
        Map<Long, Map<Long, Group>> windows = new TreeMap<>();
        Packet packet = new Packet();
        for (int p = 0; p < table.packets(); p++) {
            table.read(p, packet);
            if (work.accepts().accepts(packet)) {
                long window = work.isWindowed() ? packet.tsNs / 1_000_000_000 : 0;
                Group group =
                        windows.computeIfAbsent(window, w -> new TreeMap<>())
                                .computeIfAbsent(work.key().of(packet), k -> new Group());
                work.update().add(group, packet);
            }
        }
        RowHash hash = new RowHash();
        windows.forEach(
                (window, groups) ->
                        groups.forEach((key, group) -> add(work, window, key, group, hash)));
        return hash;
    }

    private static void add(Work work, long window, long key, Group group, RowHash hash) {
        long[] words = work.row().of(key, group);
        if (words != null) {
            LongStream edges =
                    work.isWindowed()
                            ? LongStream.of(window, window + 1).map(s -> s * 1_000_000_000)
                            : LongStream.empty();
            hash.add(LongStream.concat(edges, LongStream.of(words)).toArray());
        }
    }
}
