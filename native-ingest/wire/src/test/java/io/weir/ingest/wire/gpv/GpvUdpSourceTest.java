package io.weir.ingest.wire.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocks over loopback: good senders beside a flood, strangers, replays and forged bytes. */
class GpvUdpSourceTest {
    private static final long SEED = Long.getLong("weir.seed", 7);

    @BeforeEach
    void needsTheLibrary() {
        Assumptions.assumeTrue(
                io.weir.ingest.wire.SocketLibrary.isLoaded(), "skipped: no C compiler at build");
    }

    private static void send(DatagramChannel to, byte[] datagram) throws IOException {
        to.write(ByteBuffer.wrap(datagram));
    }

    @Test
    void goodSendersArriveWholeBesideAFlood() throws Exception {
        Random random = new Random(SEED);
        long now = System.currentTimeMillis() * 1_000_000;
        for (String layout : List.of("flow32", "flow64", "full")) {
            try (Wire wire = new Wire("layout=" + layout + "&allow=127.0.0.0/30&senders=4")) {
                Datagrams a = new Datagrams(random, 1, 0, layout, now);
                Datagrams b = new Datagrams(random, 1, 1, layout, now);
                DatagramChannel one = wire.from("127.0.0.1");
                DatagramChannel two = wire.from("127.0.0.2");
                DatagramChannel stranger = wire.from("127.0.0.9");
                List<String> sent = new ArrayList<>();
                int noise = 0;
                for (int i = 0; i < 400; i++) {
                    byte[] good = a.next(1 + random.nextInt(3));
                    sent.addAll(a.rows);
                    send(one, good);
                    send(two, b.next(1));
                    sent.addAll(b.rows);
                    send(stranger, good);
                    byte[] forged = good.clone();
                    forged[4 + random.nextInt(4) % 2] = 99; // version or layout
                    send(two, forged);
                    send(one, good); // twice
                    noise++;
                    if (i % 4 == 0) {
                        wire.step();
                    }
                }
                wire.finish();
                assertSame(sent, wire.end.rows);
                Stage.Snapshot blocks = wire.page("gpv blocks");
                assertEquals(800, blocks.processed(), blocks.toString());
                assertEquals(noise, blocks.excluded().get("sender_not_allowed"));
                assertEquals(noise, blocks.excluded().get("duplicate"));
                assertEquals(noise, blocks.lost().get("version") + blocks.lost().get("layout"));
                assertTrue(wire.end.account.isBalanced());
                assertEquals(0, wire.end.lostInAll());
            }
        }
    }

    @Test
    void aGapIsLostAtItsTimeAndARestartIsBelieved() throws Exception {
        Random random = new Random(SEED);
        long now = System.currentTimeMillis() * 1_000_000;
        try (Wire wire = new Wire("layout=flow32")) {
            DatagramChannel to = wire.from("127.0.0.1");
            Datagrams sender = new Datagrams(random, 5, 0, "flow32", now);
            List<String> sent = new ArrayList<>();
            byte[] old = sender.next(1);
            send(to, old);
            sent.addAll(sender.rows);
            wire.step();
            long before = sender.timeNs;
            sender.next(2, 5); // never sent
            send(to, sender.next(1));
            sent.addAll(sender.rows);
            wire.step();
            for (int i = 0; i < 15; i++) {
                wire.step(); // each waits for 20 ms
            }
            assertEquals(Map.of(before - before % 10_000_000, 10L), wire.end.lost);
            sender.restart();
            sender.next(1, 3); // never sent
            send(to, sender.next(1));
            sent.addAll(sender.rows);
            send(to, old);
            wire.finish();
            assertSame(sent, wire.end.rows);
            assertEquals(13, wire.end.lostInAll());
            Stage.Snapshot blocks = wire.page("gpv blocks");
            assertEquals(1, blocks.excluded().get("old_epoch"));
            Stage.Snapshot gpvs = wire.page("gpvs");
            assertEquals(sent.size() + 13, gpvs.offered());
            assertEquals(sent.size(), gpvs.processed());
            assertTrue(wire.end.account.isBalanced());
        }
    }

    /** A host's watermark may come before its first packets, as it does of recorded ones. */
    @Test
    void aBlockWithoutGpvsMovesNoNewestTime() throws Exception {
        Random random = new Random(SEED);
        long ago = System.currentTimeMillis() * 1_000_000 - 7L * 24 * 3600 * Datagrams.SECOND;
        try (Wire wire = new Wire("layout=flow32")) {
            DatagramChannel to = wire.from("127.0.0.1");
            Datagrams sender = new Datagrams(random, 8, 0, "flow32", ago);
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                sender.watermarkNs = ago - Datagrams.SECOND + i;
                send(to, sender.next(i == 0 ? 0 : random.nextInt(3)));
                sent.addAll(sender.rows);
                wire.step();
            }
            wire.finish();
            assertSame(sent, wire.end.rows);
            assertEquals(List.of(), wire.end.lateRows, "-Dweir.seed=" + SEED);
        }
    }

    @Test
    void anyByteMayBeWrong() throws Exception {
        Random random = new Random(SEED);
        long now = System.currentTimeMillis() * 1_000_000;
        try (Wire wire = new Wire("layout=flow32&senders=8")) {
            DatagramChannel good = wire.from("127.0.0.1");
            DatagramChannel bad = wire.from("127.0.0.3");
            Datagrams sender = new Datagrams(random, 6, 0, "flow32", now);
            Datagrams victim = new Datagrams(random, 7, 0, "flow32", now);
            List<String> sent = new ArrayList<>();
            byte[] whole = victim.next(3, 4);
            for (int i = 0; i < whole.length; i++) {
                byte[] flipped = whole.clone();
                flipped[i] ^= (byte) (1 << random.nextInt(8));
                send(bad, flipped);
                send(bad, java.util.Arrays.copyOf(whole, i));
                send(good, sender.next(1));
                sent.addAll(sender.rows);
                wire.step();
            }
            wire.finish();
            List<String> all = new ArrayList<>(wire.end.rows);
            all.addAll(wire.end.lateRows);
            sent.forEach(row -> assertTrue(all.remove(row), row + ", -Dweir.seed=" + SEED));
            assertTrue(wire.end.account.isBalanced());
        }
    }

    private static void assertSame(List<String> sent, List<String> got) {
        assertEquals(
                sent.stream().sorted().toList(),
                got.stream().sorted().toList(),
                "-Dweir.seed=" + SEED);
    }
}
