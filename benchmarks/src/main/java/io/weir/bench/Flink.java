package io.weir.bench;

import io.weir.bench.kernel.Work;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs Flink as a peer: a separate program ({@code benchmarks/flink}), which the launcher has built
 * if Maven could fetch it. Its jars are only on that program's class path. Cold.
 */
final class Flink implements Peer {
    /** The name in the root pom. The built class path is searched for it. */
    private static final String JAR = "flink-runtime-";

    /** Works that are one aggregation with a key. The rest need order within a flow, or joins. */
    private static final Set<String> STATED =
            Set.of(
                    "traffic_count",
                    "per_source",
                    "by_tcp_flags",
                    "by_bytes",
                    "heavy_hitter",
                    "heavy_hitter_packets",
                    "new_tcp_connections",
                    "ssh_brute_force",
                    "superspreader",
                    "port_scan",
                    "ddos",
                    "syn_flood",
                    "slowloris");

    private static final List<String> JVM =
            List.of(
                    "-Xms6g",
                    "-Xmx6g",
                    "-XX:+UseSerialGC",
                    "--add-opens",
                    "java.base/java.util=ALL-UNNAMED",
                    "--add-opens",
                    "java.base/java.lang=ALL-UNNAMED");

    private final String classPath;

    private Flink(String classPath) {
        this.classPath = classPath;
    }

    /** Finds the built program. Without one it says so and returns empty. */
    static Optional<Peer> find(Path home) throws IOException {
        Path built = home.resolve("benchmarks/flink/target");
        if (!Files.exists(built.resolve("classpath"))) {
            System.err.println("no Flink: it needs Maven, and its central repository");
            return Optional.empty();
        }
        String libraries = Files.readString(built.resolve("classpath")).strip();
        return Optional.of(new Flink(built.resolve("classes") + File.pathSeparator + libraries));
    }

    @Override
    public String name() {
        return "flink";
    }

    @Override
    public String title() {
        int at = classPath.indexOf(JAR) + JAR.length();
        return "Flink " + classPath.substring(at, classPath.indexOf(".jar", at));
    }

    @Override
    public Set<String> stated() {
        return STATED;
    }

    /** Its code is compiled after some millions of packets. */
    @Override
    public int warmups() {
        return 2;
    }

    @Override
    public Contender start(Path packets, Work work) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", classPath, "io.weir.bench.flink.FlinkPeer"));
        command.addAll(
                List.of(packets.toString(), work.nativeName(), Long.toString(work.threshold())));
        return Contender.start(command);
    }
}
