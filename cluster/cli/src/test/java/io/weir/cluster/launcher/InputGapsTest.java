package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a capture lacks, and says of itself: in rows, in the account and in notes. */
class InputGapsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int ETHERNET = 1;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @TempDir private Path folder;

    private static ByteBuffer little(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** All that it holds, wherever it stands. */
    private void write(ByteBuffer buffer) {
        byte[] all = new byte[buffer.capacity()];
        buffer.get(0, all);
        bytes.writeBytes(all);
    }

    private void pcap() {
        ByteBuffer header = little(24).putInt(0xa1b23c4d).putShort((short) 2).putShort((short) 4);
        write(header.putInt(16, 65_535).putInt(20, ETHERNET));
    }

    private void record(int atNs, byte[] frame, int captured) {
        ByteBuffer head = little(16).putInt(1).putInt(atNs).putInt(captured);
        write(head.putInt(frame.length));
        bytes.write(frame, 0, captured);
    }

    private void block(int type, ByteBuffer body) {
        int padded = body.capacity() + 3 & ~3;
        ByteBuffer block = little(padded + 12).putInt(type).putInt(padded + 12);
        block.put(body.rewind()).putInt(padded + 8, padded + 12);
        write(block);
    }

    private static byte[] ethernet(int type, int length) {
        return ByteBuffer.allocate(length).putShort(12, (short) type).array();
    }

    /** A SYN behind a VLAN tag, or none. */
    private static byte[] syn(int port, boolean tagged) {
        ByteBuffer frame = ByteBuffer.allocate(tagged ? 58 : 54).position(12);
        if (tagged) {
            frame.putShort((short) 0x8100).putShort((short) 7);
        }
        frame.putShort((short) 0x0800).put((byte) 0x45).put((byte) 0).putShort((short) 40);
        frame.putInt(0).put((byte) 64).put((byte) 6).putShort((short) 0);
        frame.putInt(0x0A000001).putInt(0x0A000002);
        frame.putShort((short) 4000).putShort((short) port).putInt(5).putInt(0);
        return frame.put((byte) 0x50).put((byte) 2).array();
    }

    private String scan(boolean tagged, int captured) throws IOException {
        pcap();
        for (int port = 1; port <= 50; port++) {
            record(port * 1000, syn(port, tagged), captured);
        }
        return Files.write(folder.resolve("scan.pcap"), bytes.toByteArray()).toString();
    }

    @Test
    void aScanThatWasCapturedInPartIsSeen() throws IOException {
        String file = scan(true, 54);
        Cli.Result ports =
                Cli.run("run", "--library", "port_scan", "--pcap", file, "--format", "csv");
        assertTrue(ports.out().endsWith("10.0.0.1,50\n"), ports.out());
        String sql = "SELECT COUNT(*) AS n FROM packets WHERE tcp_flags = 2";
        assertEquals("n\n50\n", Cli.run("run", "-e", sql, "--pcap", file, "--format", "csv").out());
        String note =
                "note: 50 packets are cut in the transport header (transport_cut): 0 lack ports, 0"
                        + " lack TCP flags; capture with a larger snap length";
        assertTrue(ports.err().contains(note), ports.err());
        assertTrue(ports.err().contains("50 transport_cut"), ports.err());
    }

    @Test
    void portsAreReadWhereFlagsAreNotThere() throws IOException {
        String file = scan(false, 42);
        Path stats = folder.resolve("stats");
        Cli.Result ports =
                Cli.run(
                        "run",
                        "--library",
                        "port_scan",
                        "--pcap",
                        file,
                        "--stats",
                        stats.toString());
        assertTrue(ports.out().contains("10.0.0.1     50"), ports.out());
        assertTrue(ports.err().contains("0 lack ports, 50 lack TCP flags"), ports.err());
        String page = "\"processed\": 50, \"lost\": {}, \"excluded\": {}, \"in_part\": ";
        assertTrue(Files.readString(stats).contains(page + "{\"transport_cut\": 50}}"));
    }

    /** Ten packets in a second, two interfaces' statistics, and a packet two seconds later. */
    private String drops() throws IOException {
        block(0x0A0D0D0A, little(16).putInt(0x1A2B3C4D).putShort((short) 1).putLong(8, -1));
        for (int i = 0; i < 2; i++) {
            ByteBuffer nanoseconds = little(20).putShort((short) ETHERNET).putInt(4, 65_535);
            nanoseconds.putShort(8, (short) 9).putShort(10, (short) 1).put(12, (byte) 9);
            block(1, nanoseconds);
        }
        for (int i = 0; i < 10; i++) {
            packet(i % 2, i * SECOND / 10);
        }
        statistics(0, 100, 0);
        statistics(1, 20, 3);
        packet(0, 2 * SECOND);
        return Files.write(folder.resolve("drops.pcapng"), bytes.toByteArray()).toString();
    }

    private void packet(int on, long atNs) {
        byte[] frame = syn(80, false);
        long ns = 1_700_000_000L * SECOND + atNs;
        ByteBuffer body = little(20 + frame.length).putInt(on).putInt((int) (ns >>> 32));
        block(6, body.putInt((int) ns).putInt(frame.length).putInt(frame.length).put(frame));
    }

    private void statistics(int on, long dropped, long bySystem) {
        ByteBuffer body = little(12 + 12 + 12).putInt(0, on);
        body.putShort(12, (short) 5).putShort(14, (short) 8).putLong(16, dropped);
        block(5, body.putShort(24, (short) 7).putShort(26, (short) 8).putLong(28, bySystem));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3"})
    void whatTheInputSaysWasLostIsLost(String pipelines) throws IOException {
        String sql =
                "SELECT COUNT(*) AS n, packets_lost, completeness FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        sql,
                        "--pcap",
                        drops(),
                        "--format",
                        "csv",
                        "--pipelines",
                        pipelines);
        assertTrue(
                result.out().matches("n,packets_lost,completeness\n10,123,0\\.0\\d+\n1,0,1.0\n"),
                result.out());
        assertTrue(
                result.err().matches("(?s).*capture +134 +11 +123 dropped_at_capture.*"),
                result.err());
        assertTrue(result.err().contains("note: 123 packets were dropped where"), result.err());
    }

    @Test
    void whatIsNotIpIsNamed() throws IOException {
        pcap();
        for (int i = 0; i < 3; i++) {
            record(i, ethernet(0x88CC, 60), 60);
        }
        record(3, ethernet(0x88F7, 60), 60);
        String file = Files.write(folder.resolve("l2.pcap"), bytes.toByteArray()).toString();
        Cli.Result result = Cli.run("run", "-e", "SELECT src_addr FROM packets", "--pcap", file);
        String note =
                "note: frames that are not IP (not_ip): 3 EtherType 0x88cc (LLDP), 1 EtherType"
                        + " 0x88f7 (PTP)";
        assertTrue(result.err().contains(note), result.err());
    }
}
