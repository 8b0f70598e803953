package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import io.weir.operators.memory.Fifo;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir run} over packets of the loopback, to its limits. */
@Timeout(120)
class LiveRunTest {
    private static final long PAUSE_NS = 2_000_000L;
    private static final Pattern NUMBER = Pattern.compile("\"n\":\\s?(\\d+)");

    @TempDir private Path folder;

    private final AtomicBoolean sends = new AtomicBoolean(true);
    private DatagramSocket receiver;
    private Thread sender;

    /** Sends to itself all the time. */
    @BeforeEach
    void send() throws IOException {
        receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        sender =
                new Thread(
                        () -> {
                            byte[] bytes = new byte[60];
                            while (sends.get()) {
                                try {
                                    receiver.send(
                                            new DatagramPacket(
                                                    bytes, 60, receiver.getLocalSocketAddress()));
                                } catch (IOException e) {
                                    return;
                                }
                                LockSupport.parkNanos(PAUSE_NS);
                            }
                        });
        sender.setDaemon(true);
        sender.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        sends.set(false);
        sender.join();
        receiver.close();
    }

    private String sql() {
        return "SELECT COUNT(*) AS n FROM packets WHERE dst_port = " + receiver.getLocalPort();
    }

    private static long number(Cli.Result result) {
        long last = 0;
        Matcher n = NUMBER.matcher(result.out());
        while (n.find()) {
            last = Long.parseLong(n.group(1));
        }
        return last;
    }

    private static void assumeRoot() {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
    }

    @Test
    void endsAfterATimeOrANumber() {
        assumeRoot();
        String[] limited = {
            "run", "-e", sql(), "--format", "json", "--source", "afpacket:lo", "--for", "1500ms"
        };
        Cli.Result result = Cli.run(limited);
        assertEquals(0, result.code(), result.err());
        assertTrue(number(result) > 10, result.out() + result.err());
        limited[limited.length - 2] = "--packets";
        limited[limited.length - 1] = "50";
        result = Cli.run(limited);
        assertEquals(0, result.code(), result.err());
        assertTrue(number(result) > 0, result.out() + result.err());
    }

    @Test
    void theReaderCanRunTheQueries() {
        assumeRoot();
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        sql(),
                        "--format",
                        "json",
                        "--pipelines",
                        "0",
                        "--source",
                        "afpacket:lo?queues=2",
                        "--packets",
                        "50");
        assertEquals(0, result.code(), result.err());
        assertTrue(number(result) > 0, result.out() + result.err());
        result = Cli.run("run", "-e", sql(), "--pipelines", "0", "--partitions", "2");
        assertEquals(2, result.code(), result.err());
        assertTrue(result.err().contains("--pipelines 0 with --partitions 2"), result.err());
    }

    @Test
    void endsAfterASilence() throws Exception {
        byte[] packets =
                Files.readAllBytes(new PcapFile().udp(0, 1, 2, 53, 60).write(folder.resolve("a")));
        Path fifo = Fifo.in(folder, "pipe");
        CountDownLatch ended = new CountDownLatch(1);
        Thread writer =
                Fifo.write(
                        fifo,
                        out -> {
                            out.write(packets);
                            out.flush();
                            ended.await();
                        });
        String sql = "SELECT COUNT(*) AS n FROM packets";
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        sql,
                        "--format",
                        "json",
                        "--pcap",
                        fifo.toString(),
                        "--idle",
                        "500ms");
        ended.countDown();
        writer.join();
        assertEquals(0, result.code(), result.err());
        assertEquals(1, number(result), result.out());
    }

    @Test
    void readsWhatTcpdumpWrites() throws Exception {
        assumeRoot();
        Assumptions.assumeTrue(Files.exists(Path.of("/usr/bin/tcpdump")), "needs tcpdump");
        Path fifo = Fifo.in(folder, "tcpdump");
        Process tcpdump =
                new ProcessBuilder(
                                "tcpdump",
                                "-i",
                                "lo",
                                "-U",
                                "-Z",
                                "root",
                                "-w",
                                fifo.toString(),
                                "udp and dst port " + receiver.getLocalPort())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            Cli.Result result =
                    Cli.run(
                            "run",
                            "-e",
                            sql(),
                            "--format",
                            "json",
                            "--packets",
                            "100",
                            "--source",
                            "pcap:" + fifo + "?live=true");
            assertEquals(0, result.code(), result.err());
            assertTrue(number(result) >= 100, result.out() + result.err());
        } finally {
            tcpdump.destroy();
        }
    }

    /** Output that is closed behind a few rows, as by {@code head}. */
    private static final class FewLines extends OutputStream {
        private final AtomicInteger lines = new AtomicInteger();

        @Override
        public void write(int b) throws IOException {
            if (b == '\n' && lines.incrementAndGet() > 7) {
                throw new IOException("Broken pipe");
            }
        }
    }

    @Test
    void theConsoleShowsRowsAsTheyCome() {
        assumeRoot();
        String sql =
                "SELECT window_start, COUNT(*) AS n FROM packets WHERE dst_port = "
                        + receiver.getLocalPort()
                        + " GROUP BY TUMBLE(ts, INTERVAL '100' MILLISECOND)";
        FewLines out = new FewLines();
        Cli.run("", out, new String[] {"sql", "-e", sql, "--source", "afpacket:lo"});
        assertTrue(out.lines.get() > 7);
    }

    @Test
    void aLimitThatCannotBeIsNamed() {
        Cli.Result result =
                Cli.run("run", "-e", sql(), "--source", "afpacket:lo", "--packets", "0");
        assertEquals(2, result.code());
        assertTrue(result.err().contains("--packets 0 cannot be"), result.err());
    }
}
