package io.weir.ingest.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * A pair of virtual interfaces. One end is here. The other is in a network namespace of its own, at
 * {@link #THERE}. Nothing but the test's own packets passes. Needs root and iproute2.
 */
public final class Veth implements AutoCloseable {
    public static final String HERE = "10.99.0.1";
    public static final String THERE = "10.99.0.2";
    private static final String MAC_HERE = "02:00:00:00:00:01";

    /** A sender of raw frames: interface, VLAN, port, packets. */
    private static final String TAGGED =
            """
            import socket, struct, sys
            vlan, port, packets = map(int, sys.argv[2:])
            raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            raw.bind((sys.argv[1], 0))
            frame = bytes.fromhex("020000000001020000000002")
            frame += struct.pack(">HHH", 0x8100, vlan, 0x0800)
            frame += struct.pack(">BBHHHBBH", 0x45, 0, 100, 1, 0, 64, 17, 0)
            frame += bytes([10, 99, 0, 2, 10, 99, 0, 1])
            frame += struct.pack(">HHHH", 1000, port, 80, 0) + bytes(72)
            for i in range(packets):
                raw.send(frame)
            """;

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    public final String here;
    public final String namespace;
    private final String there;

    private Veth(String here, String there, String namespace) {
        this.here = here;
        this.there = there;
        this.namespace = namespace;
    }

    /** Makes a pair; the test is skipped where that cannot be. */
    public static Veth create() {
        boolean root = "root".equals(System.getProperty("user.name"));
        Assumptions.assumeTrue(
                root
                        && (Files.exists(Path.of("/usr/sbin/ip"))
                                || Files.exists(Path.of("/sbin/ip"))),
                "network namespaces need root and iproute2");
        String name = "wv" + ProcessHandle.current().pid() % 1_000_000 + NUMBERS.incrementAndGet();
        Veth veth = new Veth(name + "a", name + "b", "weir-" + name);
        try {
            veth.build();
            return veth;
        } catch (IllegalStateException e) {
            veth.close();
            Assumptions.abort("no network namespace can be made: " + e.getMessage());
            return veth;
        }
    }

    private void build() {
        run("ip", "netns", "add", namespace);
        run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", namespace);
        quiet(Path.of("/proc/sys/net/ipv6/conf", here, "disable_ipv6"));
        run("ip", "link", "set", here, "address", MAC_HERE, "up");
        inside("sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1");
        inside("ip", "addr", "add", THERE + "/24", "dev", there);
        inside("ip", "link", "set", there, "up");
        inside("ip", "neigh", "add", HERE, "lladdr", MAC_HERE, "dev", there);
    }

    private static void quiet(Path setting) {
        try {
            Files.writeString(setting, "1");
        } catch (IOException e) {
            // without IPv6 there is nothing to be quiet about
        }
    }

    /** Sends UDP packets from the other end in frames with a tag. Needs python3. */
    public void sendTagged(int vlan, int port, int packets) {
        Assumptions.assumeTrue(Files.exists(Path.of("/usr/bin/python3")), "no python3");
        inside("python3", "-c", TAGGED, there, "" + vlan, "" + port, "" + packets);
    }

    /** Sets the other end up or down, so that this one has a link or none. */
    public void link(String state) {
        inside("ip", "link", "set", there, state);
        if (state.equals("up")) {
            inside("ip", "neigh", "replace", HERE, "lladdr", MAC_HERE, "dev", there);
        }
    }

    /** Deletes both ends. */
    public void delete() {
        run("ip", "link", "del", here);
    }

    /** Sends UDP packets of 100 bytes from the other end, from several ports in turn. */
    public void send(String to, int port, int packets, int ports) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        inside(
                java,
                "-Xmx32m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Path.of("target", "test-classes").toAbsolutePath().toString(),
                UdpSender.class.getName(),
                to,
                "" + port,
                "" + packets,
                "" + ports);
    }

    /** Runs a command in the namespace. */
    public String inside(String... command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    static String run(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + out);
            }
            return out;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        for (String[] command :
                new String[][] {
                    {"ip", "link", "del", here}, {"ip", "netns", "del", namespace},
                }) {
            try {
                run(command);
            } catch (IllegalStateException e) {
                // it is gone already
            }
        }
    }
}
