package io.weir.ingest.wire.afpacket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.weir.ingest.source.SourceState;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.Drain;
import io.weir.ingest.wire.SocketLibrary;
import io.weir.ingest.wire.Veth;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each packet that a sender in another namespace sends is counted once, wherever it ends. */
@Timeout(120)
class AfPacketTest {
    private static final int PORT = 9999;

    private Veth veth;

    @BeforeEach
    void build() {
        Assumptions.assumeTrue(SocketLibrary.isLoaded(), "the library of sockets was not built");
        veth = Veth.create();
    }

    @AfterEach
    void delete() {
        if (veth != null) {
            veth.close();
        }
    }

    private String uri(String options) {
        return "afpacket:" + veth.here + options;
    }

    private static Stage.Snapshot stage(Drain drain, String name) {
        return drain.account.snapshot().stream()
                .filter(stage -> stage.stage().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until all queues of the interface are there. Earlier packets are for others. */
    private void awaitQueues(Drain drain, int queues) {
        drain.readUntil(() -> queuesThere() == queues);
    }

    private long queuesThere() {
        try {
            return queuesOf(
                    Files.readString(Path.of("/sys/class/net", veth.here, "ifindex")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long queuesOf(String index) {
        try {
            return Files.readAllLines(Path.of("/proc/net/packet")).stream()
                    .filter(line -> line.strip().split("\\s+")[4].equals(index))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachPacketIsCountedOnceWithItsTag() {
        try (Drain drain = new Drain(uri(""))) {
            awaitQueues(drain, 1);
            veth.send(Veth.HERE, PORT, 8_000, 3);
            veth.sendTagged(7, PORT, 2_000);
            drain.readUntil(
                    () ->
                            drain.to(PORT) == 8_000
                                    && drain.packets.getOrDefault(PORT + " vlan 7", 0L) == 2_000);
            drain.stop();
            assertEquals(8_000, drain.to(PORT));
            assertEquals(2_000, drain.packets.get(PORT + " vlan 7"));
            assertEquals(0, drain.lost);
            assertTrue(drain.account.isBalanced());
        }
    }

    /**
     * The interface, the direction and the tag of each packet are those of its own interface. The
     * loopback may be so busy with others' packets that some are lost. Then it tries again.
     */
    @Test
    void allInterfacesAreOneSource() throws IOException {
        for (int attempt = 0; attempt < 5; attempt++) {
            if (hasAllOfAllInterfaces()) {
                return;
            }
        }
        abort("the loopback is so busy that packets are lost each time: skipped");
    }

    private boolean hasAllOfAllInterfaces() throws IOException {
        String index = Files.readString(Path.of("/sys/class/net", veth.here, "ifindex")).strip();
        try (Drain drain = new Drain("afpacket:any?queues=2")) {
            drain.byInterface = true;
            drain.readUntil(() -> queuesOf("0") == 2);
            veth.send(Veth.HERE, PORT, 4_000, 5);
            veth.sendTagged(7, PORT, 2_000);
            sendHere(1_000);
            drain.readUntil(
                    () ->
                            drain.to(PORT) == 5_000
                                            && drain.packets.getOrDefault(PORT + " vlan 7", 0L)
                                                    == 2_000
                                    || hasLost(drain));
            drain.stop();
            assertTrue(drain.account.isBalanced());
            if (hasLost(drain)) {
                return false;
            }
            assertEquals(6_000, drain.packets.get(PORT + " in " + index));
            assertEquals(1_000, drain.packets.get(PORT + " in 1"), "by the loopback, once");
            return true;
        }
    }

    private static boolean hasLost(Drain drain) {
        return drain.lost > 0
                || drain.account.snapshot().stream().anyMatch(stage -> stage.lostInAll() > 0);
    }

    private static void sendHere(int packets) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < packets; i++) {
                socket.send(
                        new DatagramPacket(
                                new byte[72], 72, InetAddress.getLoopbackAddress(), PORT));
            }
        }
    }

    @Test
    void twoQueuesShareTheFlows() {
        try (Drain drain = new Drain(uri("?queues=2&direction=in"))) {
            awaitQueues(drain, 2);
            veth.send(Veth.HERE, PORT, 10_000, 50);
            drain.readUntil(() -> drain.to(PORT) == 10_000);
            drain.stop();
            assertEquals(10_000, drain.to(PORT));
            assertTrue(drain.packetsOf[0] > 500 && drain.packetsOf[1] > 500);
        }
    }

    @Test
    void aSilentQueueHoldsNoneBack() {
        long nowNs = System.currentTimeMillis() * 1_000_000;
        try (Drain drain = new Drain(uri("?queues=2"))) {
            drain.readUntil(() -> drain.watermarksNs[0] > nowNs && drain.watermarksNs[1] > nowNs);
        }
    }

    @Test
    void anOverloadLosesToThePacket() {
        int sent = 600_000;
        try (Drain drain = new Drain(uri("?ring=1MB&direction=in"))) {
            awaitQueues(drain, 1);
            // Nobody reads the ring of blocks meanwhile.
            veth.send(Veth.HERE, PORT, sent, 200);
            drain.readUntil(() -> offered(drain) >= sent);
            drain.stop();
            Stage.Snapshot capture = stage(drain, "capture");
            Stage.Snapshot cache = stage(drain, "cache");
            long kernel = capture.lost().getOrDefault(AfPacketQueue.KERNEL, 0L);
            long ringFull = cache.lost().getOrDefault("ring_full", 0L);
            long excluded = capture.excluded().values().stream().mapToLong(n -> n).sum();
            assertTrue(ringFull > 0, "nothing was lost");
            assertEquals(sent, capture.offered() - excluded);
            assertEquals(sent, drain.to(PORT) + kernel + ringFull);
            assertEquals(kernel + ringFull, drain.lost);
            assertTrue(drain.account.isBalanced());
        }
    }

    private static long offered(Drain drain) {
        return drain.account.snapshot().stream()
                .filter(stage -> stage.stage().equals("capture"))
                .mapToLong(Stage.Snapshot::offered)
                .sum();
    }

    @Test
    void anInterfaceThatGoesIsAnErrorThatMayPass() {
        try (Drain drain = new Drain(uri(""))) {
            veth.send(Veth.HERE, PORT, 1_000, 1);
            drain.readUntil(() -> drain.to(PORT) == 1_000);
            veth.delete();
            drain.readUntil(() -> drain.status.state() == SourceState.RETRYING);
            String why = drain.status.error().orElseThrow();
            assertTrue(why.contains(veth.here), why);
        }
    }

    @Test
    void aLinkThatIsDownIsWaitedFor() {
        try (Drain drain = new Drain(uri(""))) {
            drain.readUntil(() -> drain.state() == SourceState.RUNNING);
            veth.link("down");
            drain.readUntil(() -> drain.state() == SourceState.WAITING);
            String why = drain.status.error().orElseThrow();
            assertEquals("the link of " + veth.here + " is down", why);
            veth.link("up");
            drain.readUntil(() -> drain.state() == SourceState.RUNNING);
            veth.send(Veth.HERE, PORT, 1_000, 1);
            drain.readUntil(() -> drain.to(PORT) == 1_000);
            assertEquals(0, drain.status.retries());
        }
    }

    @Test
    void wrongNamesAndOptionsAreNamed() {
        for (List<String> wrong :
                List.of(
                        List.of("afpacket:", "names no interface"),
                        List.of("afpacket:" + veth.here + "x?", "no such interface"),
                        List.of(uri("?queues=0"), "queues=0"),
                        List.of(uri("?ring=7KB"), "ring=7KB"),
                        List.of(uri("?ring=lots"), "ring=lots"),
                        List.of(uri("?block=2s"), "block=2s"),
                        List.of(uri("?snap=1"), "snap=1"),
                        List.of(uri("?direction=up"), "direction=up"),
                        List.of(uri("?stamps=sun"), "stamps=sun"),
                        List.of("afpacket:any?stamps=hardware", "stamps=hardware"))) {
            WeirException why =
                    assertThrows(
                            WeirException.class,
                            () -> Sources.checkAll(Sources.parse(wrong.get(0), "node")));
            assertTrue(why.getMessage().contains(wrong.get(1)), why.getMessage());
        }
    }
}
