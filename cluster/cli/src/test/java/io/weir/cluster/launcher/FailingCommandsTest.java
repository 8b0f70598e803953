package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.node.PcapFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A command that ends with an error leaves no thread and no native memory behind, however far it
 * came: before anything began, with a broker that runs, or with some of its ports open.
 */
class FailingCommandsTest {
    private static final String COUNT = "SELECT COUNT(*) AS n FROM packets";
    private static final String NO_HOST = "no-such-host.invalid:9092";

    @TempDir private Path folder;
    private ServerSocket taken;
    private String pcap;
    private String file;

    @BeforeEach
    void lay() throws IOException {
        pcap = new PcapFile().random(1, 2_000).write(folder.resolve("a.pcap")).toString();
        file = Files.createFile(folder.resolve("a-file")).toString();
        taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void free() throws IOException {
        taken.close();
    }

    private static void assertLeavesNothing(String... command) {
        Remains remains = new Remains();
        Cli.Result result = Cli.run(command);
        String all = String.join(" ", command);
        assertEquals(ExitCode.FAILED, result.code(), all + ": " + result.err());
        remains.assertNone(all);
    }

    private static String[] with(String command, String... more) {
        return Stream.of(command.split(" "), more).flatMap(Stream::of).toArray(String[]::new);
    }

    /** Each command, with an error as late as it can come without a Kafka. */
    private List<String[]> commands() {
        String port = String.valueOf(taken.getLocalPort());
        String[] worker = {"worker", "--kafka", NO_HOST, "--pcap", pcap, "--outbox", folder + "/o"};
        List<String[]> all = new ArrayList<>();
        all.add(worker);
        all.add(with("worker --kafka " + NO_HOST, "--pcap", pcap, "--metrics", "0"));
        all.add(with("worker --kafka " + NO_HOST, "--pcap", pcap, "--slices", "s"));
        all.add(with("worker --kafka " + NO_HOST, "--pcap", pcap, "--sink", "file:" + folder));
        all.add(with("worker --kafka " + NO_HOST, "--pcap", pcap, "--metrics", port));
        all.add(with("server --kafka " + NO_HOST, "--port", "0", "--metrics", "0"));
        all.add(with("server --port", port, "--pcap", pcap, "--metrics", "0"));
        all.add(with("server --port 0 --pcap", pcap, "--audit", folder + "/none/a"));
        all.add(with("slices --kafka " + NO_HOST));
        all.add(with("slices --drop x --kafka " + NO_HOST));
        all.add(with("broker --port", port, "--directory", folder + "/b"));
        all.add(with("broker --port 0 --directory", file));
        all.add(with("up --kafka --port 0 --pcap", pcap, "--metrics", port));
        all.add(with("up --kafka " + port + " --port 0 --pcap", pcap));
        all.add(with("sql --url jdbc:weir://127.0.0.1:1"));
        all.add(with("sql --pcap", pcap, "-e", COUNT + " WHERE nope = 1"));
        all.add(with("run --pcap", pcap, "-e", COUNT + " WHERE nope = 1"));
        all.add(with("run --pcap", pcap, "--sink", "prometheus:" + port, "-e", COUNT));
        all.add(with("run --pcap", pcap, "--sink", "file:" + file, "-e", COUNT));
        all.add(with("run --pcap", pcap, "--pin", "9999", "-e", COUNT));
        all.add(with("cluster demo --sql", file, "--directory", file, "--pcap", pcap));
        all.add(
                with(
                        "run --partitions 2 --pipelines 2 --pcap",
                        pcap,
                        "-e",
                        "SELECT src_addr, src_port, dst_port, COUNT(*) AS n FROM packets GROUP BY"
                                + " src_addr, src_port, dst_port WITH (memory = '128KB',"
                                + " on_overflow = 'fail')"));
        return all;
    }

    @Test
    void nothingIsLeftOfThem() {
        long seed = Long.getLong("weir.seed", 31);
        Random random = new Random(seed);
        List<String[]> commands = commands();
        for (int round = 0; round < 2; round++) {
            Collections.shuffle(commands, random);
            commands.forEach(command -> assertLeavesNothing(command));
        }
    }

    /** The broker runs by then, and the catalogue is read. */
    @Test
    void nothingIsLeftOfAClusterWhoseServerFindsItsPortTaken() {
        String port = String.valueOf(taken.getLocalPort());
        assertLeavesNothing(with("up --kafka --metrics 0 --port " + port + " --pcap", pcap));
    }
}
