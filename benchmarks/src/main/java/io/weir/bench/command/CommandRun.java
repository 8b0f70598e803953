package io.weir.bench.command;

import io.weir.bench.PerSource;
import io.weir.bench.ResultHash;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One {@code run} of the measured query over a capture, in a process of its own.
 *
 * @param seconds from start to end, the JVM's start included
 * @param rssBytes the most that was resident, mapped parts of the capture included
 * @param rssOwnBytes the most that was resident and the process's own; sampled
 * @param heapBytes the most that was in use on the heap, before a collection or at the exit; 0 when
 *     the launcher takes no WEIR_JAVA_OPTS
 */
public record CommandRun(
        double seconds, long rssBytes, long rssOwnBytes, long heapBytes, ResultHash result) {

    /**
     * Runs and waits. The rows go to a file, which is read when the clock has stopped.
     *
     * @param launcher the command without {@code run}; it must not fork Java, but become it
     * @param scratch a directory for the rows and the collector's log
     * @throws IllegalStateException it failed
     */
    public static CommandRun of(List<String> launcher, Path capture, Path scratch)
            throws IOException {
        Path rows = Files.createTempFile(scratch, "rows", ".csv");
        Path gcLog = Files.createTempFile(scratch, "gc", ".log");
        try {
            return run(builder(launcher, capture, rows, gcLog), rows, gcLog);
        } finally {
            Files.deleteIfExists(rows);
            Files.deleteIfExists(gcLog);
        }
    }

    private static ProcessBuilder builder(
            List<String> launcher, Path capture, Path rows, Path gcLog) {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of("run", "-e", PerSource.SQL, "--format", "csv"));
        command.addAll(List.of("--pcap", capture.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.redirectOutput(rows.toFile());
        String options = System.getenv().getOrDefault("WEIR_JAVA_OPTS", "");
        builder.environment().put("WEIR_JAVA_OPTS", options + " " + GcLog.OPTION + gcLog);
        return builder;
    }

    private static CommandRun run(ProcessBuilder builder, Path rows, Path gcLog)
            throws IOException {
        long startNs = System.nanoTime();
        Process process = builder.start();
        try (ProcessMemory memory = new ProcessMemory(process.pid())) {
            int code = process.waitFor();
            double seconds = (System.nanoTime() - startNs) / 1e9;
            if (code != 0) {
                throw new IllegalStateException(builder.command() + " exits " + code);
            }
            return new CommandRun(
                    seconds,
                    memory.rssBytes(),
                    memory.rssOwnBytes(),
                    GcLog.mostBytes(Files.readAllLines(gcLog)),
                    hash(rows));
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Reads src_addr,packets,bytes. */
    private static ResultHash hash(Path rows) throws IOException {
        ResultHash hash = new ResultHash();
        try (BufferedReader lines = Files.newBufferedReader(rows)) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = line.split(",");
                Inet source = InetText.parse(cells[0]).orElseThrow();
                long packets = Long.parseLong(cells[1]);
                long bytes = Long.parseLong(cells[2]);
                hash.address(source).word(packets).word(bytes).end();
            }
        }
        return hash;
    }
}
