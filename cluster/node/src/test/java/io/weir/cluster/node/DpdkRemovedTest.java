package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.security.User;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.dpdk.DpdkCheck;
import io.weir.testing.Await;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A device of DPDK goes away and comes back, while its node runs. */
@Timeout(120)
class DpdkRemovedTest {
    private static final long NUMBER = ProcessHandle.current().pid() % 100_000;
    private static final String SENDER = "wntx" + NUMBER;
    private static final String RECEIVER = "wnrx" + NUMBER;
    private static final String NET = "10.223." + NUMBER % 250 + ".";

    private EmbeddedNode node;

    @AfterEach
    void close() throws Exception {
        if (node != null) {
            node.close();
        }
        if (Files.exists(Path.of("/sys/class/net", SENDER))) {
            ip("link", "del", SENDER);
        }
    }

    @Test
    void isRetriedUntilItIsBack() throws Exception {
        assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: dpdk: is not tested");
        assumeTrue(
                "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/sbin/ip")),
                "veth needs root and ip: a device that goes is not tested");
        for (Shape shape : List.of(new Shape(1, 0), Shape.ONE)) {
            plugIn();
            open(shape);
            await(() -> source("state").equals("running"));
            sendUntil(100);
            ip("link", "del", SENDER);
            await(() -> source("state").equals("retrying"));
            assertEquals("dpdk:net_af_packet0 was removed", source("last_error"));
            await(() -> show("SHOW EVENTS").toString().contains("source retrying"));
            await(() -> source("last_error").contains("there is no interface " + RECEIVER));
            assertTrue(Integer.parseInt(source("retries")) >= 2, source("retries"));
            long before = packets();
            plugIn();
            await(() -> source("state").equals("running"));
            sendUntil(before + 100);
            node.close();
            ip("link", "del", SENDER);
        }
    }

    @Test
    void aLinkThatIsDownIsWaitedFor() throws Exception {
        assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: dpdk: is not tested");
        assumeTrue(
                "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/sbin/ip")),
                "veth needs root and ip: a link that is down is not tested");
        plugIn();
        open(Shape.ONE);
        await(() -> source("state").equals("running"));
        ip("link", "set", SENDER, "down");
        await(() -> source("state").equals("waiting"));
        assertEquals("the link of " + RECEIVER + " is down", source("last_error"));
        await(() -> show("SHOW EVENTS").toString().contains("source waiting"));
        ip("link", "set", SENDER, "up");
        ip("neigh", "replace", NET + "2", "lladdr", "02:00:00:00:00:02", "dev", SENDER);
        await(() -> source("state").equals("running"));
        sendUntil(100);
        assertEquals("0", source("retries"));
    }

    /** A device of shared memory has a link while another process is at its other end. */
    @Test
    void sharedMemoryWithoutAnotherProcessIsWaitedFor(@TempDir Path folder) {
        assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: dpdk: is not tested");
        open("dpdk:net_memif7?role=server&socket=" + folder.resolve("m.sock"), Shape.ONE);
        await(() -> source("state").equals("waiting"));
        await(() -> source("last_error").equals("the link of net_memif7 is down"));
    }

    private void open(Shape shape) {
        open("dpdk:net_af_packet0?queues=2&iface=" + RECEIVER, shape);
    }

    private void open(String uri, Shape shape) {
        List<SourceSpec> specs = Sources.parse(uri, "local");
        node = new EmbeddedNode(NodeSettings.DEFAULT.withShape(shape).covering(specs), specs);
        node.open();
    }

    private String source(String column) {
        List<String> row = show("SHOW SOURCES").get(0);
        return row.get(SourceLine.HEADINGS.indexOf(column));
    }

    private long packets() {
        return Long.parseLong(source("packets"));
    }

    private List<List<String>> show(String sql) {
        return ((Answer.Texts) node.session(User.ANYBODY).prepare(sql)).rows().get();
    }

    private void await(Await.Condition condition) {
        Await.until(condition, () -> show("SHOW SOURCES"));
    }

    private void sendUntil(long packets) {
        await(
                () -> {
                    send();
                    return packets() >= packets;
                });
    }

    private static void send() {
        try (DatagramSocket socket = new DatagramSocket()) {
            InetAddress to = InetAddress.getByName(NET + "2");
            socket.send(new DatagramPacket(new byte[100], 100, to, 22_002));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void plugIn() throws Exception {
        ip("link", "add", SENDER, "type", "veth", "peer", "name", RECEIVER);
        ip("link", "set", RECEIVER, "up");
        ip("addr", "add", NET + "1/24", "dev", SENDER);
        ip("link", "set", SENDER, "up");
        ip("neigh", "add", NET + "2", "lladdr", "02:00:00:00:00:02", "dev", SENDER);
    }

    private static void ip(String... arguments) throws Exception {
        ProcessBuilder command = new ProcessBuilder("/sbin/ip");
        command.command().addAll(List.of(arguments));
        Process process = command.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
    }
}
