package io.weir.bench;

import io.weir.bench.kernel.Work;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs DuckDB as a peer: installed from PyPI into an environment of its own under {@code target/}.
 * Cold.
 */
final class DuckDb implements Peer {
    private static final String VERSION = "2.0.0";

    private static final String NUMPY_VERSION = "2.4.6";

    /**
     * Works that its SQL can state as Weir's does. A plain count needs no read there, so it is not
     * among them.
     */
    private static final Set<String> STATED =
            Set.of(
                    "traffic_count",
                    "per_source",
                    "by_tcp_flags",
                    "by_bytes",
                    "heavy_hitter",
                    "new_tcp_connections",
                    "ssh_brute_force",
                    "superspreader",
                    "port_scan",
                    "ddos",
                    "syn_flood",
                    "slowloris",
                    "heavy_hitter_packets",
                    "completed_flows",
                    "syn_flood_handshakes",
                    "tcp_non_monotonic",
                    "tcp_out_of_sequence");

    private final Path python;
    private final Path script;

    private DuckDb(Path python, Path script) {
        this.python = python;
        this.script = script;
    }

    /** Installs it unless it is there. If that is impossible, it says why and returns empty. */
    static Optional<Peer> install(Path home) throws IOException {
        Path environment = home.resolve("target/peers/duckdb-" + VERSION);
        Path python = environment.resolve("bin/python");
        Path ready = environment.resolve("ready");
        if (!Files.exists(ready)) {
            boolean done =
                    succeeds(List.of("python3", "-m", "venv", environment.toString()))
                            && succeeds(
                                    List.of(
                                            python.toString(),
                                            "-m",
                                            "pip",
                                            "install",
                                            "-q",
                                            "duckdb==" + VERSION,
                                            "numpy==" + NUMPY_VERSION));
            if (!done) {
                System.err.println("no DuckDB: it needs Python 3 with venv, and PyPI");
                return Optional.empty();
            }
            Files.createFile(ready);
        }
        Path script = home.resolve("benchmarks/peers/duckdb_peer.py");
        return Optional.of(new DuckDb(python, script));
    }

    @Override
    public String name() {
        return "duckdb";
    }

    @Override
    public String title() {
        return "DuckDB " + VERSION;
    }

    @Override
    public int warmups() {
        return 0;
    }

    @Override
    public Set<String> stated() {
        return STATED;
    }

    /** Starts the process with the table of a work's packets. */
    @Override
    public Contender start(Path packets, Work work) {
        return Contender.start(
                List.of(
                        python.toString(),
                        script.toString(),
                        packets.toString(),
                        work.nativeName(),
                        Long.toString(work.threshold())));
    }

    private static boolean succeeds(List<String> command) throws IOException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            byte[] words = process.getInputStream().readAllBytes();
            boolean done = process.waitFor() == 0;
            if (!done) {
                System.err.print(new String(words, StandardCharsets.UTF_8));
            }
            return done;
        } catch (IOException absent) {
            System.err.println(absent.getMessage());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
