package io.weir.bench.wire;

import io.weir.bench.ResultHash;
import io.weir.operators.graph.Inet;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The program of benchmarks/native/udp: sends datagrams of GPVs, or only receives them. */
public final class LoopbackProgram implements AutoCloseable {
    static final int PORT = 23_690;

    /** All of its packets have this source, and this many bytes. */
    private static final Inet SOURCE = Inet.v4(0x0A000001);

    private static final int PACKET_BYTES = 100;

    private final Process process;
    private long datagrams = -1;

    private LoopbackProgram(Process process) {
        this.process = process;
    }

    /** Builds it. Without gcc it says so and returns empty. */
    public static Optional<String> build(Path source, Path outputs) throws IOException {
        String program = outputs.toAbsolutePath().resolve("loopback").toString();
        try {
            Process gcc =
                    new ProcessBuilder(
                                    "gcc",
                                    "-std=gnu17",
                                    "-O2",
                                    "-Wall",
                                    "-Wextra",
                                    "-Werror",
                                    "-o",
                                    program,
                                    source.toString())
                            .inheritIO()
                            .start();
            if (gcc.waitFor() != 0) {
                throw new IllegalStateException(source + " cannot be compiled");
            }
            return Optional.of(program);
        } catch (IOException absent) {
            System.err.println("no datagrams over the loopback: gcc cannot be started");
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    static LoopbackProgram start(String program, String what) throws IOException {
        return new LoopbackProgram(
                new ProcessBuilder(program, what, String.valueOf(PORT))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    /** Returns the packets per second that recvmmsg alone reads while another process sends. */
    public static double received(String program, double seconds) throws IOException {
        try (LoopbackProgram receiver = start(program, "receive");
                LoopbackProgram sender = start(program, "send")) {
            pause(0.5);
            receiver.process.getOutputStream().write('\n'); // counts from now on
            receiver.process.getOutputStream().flush();
            pause(seconds);
            receiver.end();
            sender.end();
            return receiver.datagrams() * (double) MemoryDatagrams.PACKETS / seconds;
        }
    }

    private static void pause(double seconds) {
        try {
            Thread.sleep((long) (seconds * 1000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Returns the hash of the rows over so many of its packets. */
    static ResultHash totals(long packets) {
        ResultHash hash = new ResultHash();
        hash.address(SOURCE).word(packets).word(packets * PACKET_BYTES).end();
        return hash;
    }

    /** Tells it to end, and reads its count. */
    void end() throws IOException {
        process.getOutputStream().close();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            datagrams = Long.parseLong(said.readLine());
        }
    }

    long datagrams() {
        return datagrams;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
