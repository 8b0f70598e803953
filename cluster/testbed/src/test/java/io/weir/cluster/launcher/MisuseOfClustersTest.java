package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.node.PcapFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What goes wrong when a cluster is begun is one clear error and a hint, before anything starts.
 */
class MisuseOfClustersTest {
    @TempDir private Path folder;
    private String pcap;
    private String file;

    @BeforeEach
    void lay() throws IOException {
        pcap = new PcapFile().random(1, 3).write(folder.resolve("a.pcap")).toString();
        file = Files.createFile(folder.resolve("a-file")).toString();
    }

    private static void assertFails(String error, String hint, String... arguments) {
        String expected = "error " + error + "\nhint: " + hint + "\n";
        assertEquals(new Cli.Result(2, "", expected), Cli.run(arguments));
    }

    @Test
    void whereADirectoryIsAFile() {
        String[][] commands = {
            {"broker", "--port", "0"},
            {"up", "--kafka", "--port", "0", "--pcap", pcap},
            {"cluster", "demo", "--pcap", pcap, "--sql", file}
        };
        for (String[] command : commands) {
            for (String wrong : new String[] {file, file + "/below"}) {
                String[] arguments = new String[command.length + 2];
                System.arraycopy(command, 0, arguments, 0, command.length);
                arguments[command.length] = "--directory";
                arguments[command.length + 1] = wrong;
                assertFails(
                        "UNWRITABLE_OUTPUT: --directory "
                                + wrong
                                + " is no directory, and none can be made",
                        "it takes a directory that "
                                + System.getProperty("user.name")
                                + " may write",
                        arguments);
            }
        }
    }

    @Test
    void theBrokerOfUpIsItsOwn() {
        assertFails(
                "INVALID_OPTION: --kafka 127.0.0.1:9092 is no port",
                "weir up has a broker of its own; weir worker and weir server join another",
                "up",
                "--kafka",
                "127.0.0.1:9092",
                "--pcap",
                pcap);
        assertFails(
                "INVALID_OPTION: Missing required option: '--kafka'",
                "weir up --kafka --pcap FILE: its broker is its own, on any free port",
                "up",
                "--pcap",
                pcap);
        assertFails(
                "INVALID_OPTION: Unknown option: '--wat'",
                "did you mean --wait? weir up -h shows the options",
                "up",
                "--wat");
        assertFails(
                "INVALID_OPTION: there is no port 70000 (--kafka)",
                "from 0, any free one, to 65535",
                "up",
                "--kafka",
                "70000",
                "--pcap",
                pcap);
    }

    @Test
    void addressesThatCannotBe() {
        for (String wrong : new String[] {"h", "h:0", "h:65536", "h:9092,[::1]:99999"}) {
            assertFails(
                    "INVALID_OPTION: '" + wrong + "' is no address of Kafka",
                    "HOST:PORT, several with commas between",
                    "worker",
                    "--kafka",
                    wrong,
                    "--pcap",
                    pcap);
        }
        assertFails(
                "KAFKA_UNAVAILABLE: topics cannot be made (Kafka at no-such-host.invalid:9092):"
                        + " Failed to create new KafkaAdminClient: No resolvable bootstrap urls"
                        + " given in bootstrap.servers",
                "no address is known for the host: is its name spelt right?",
                "worker",
                "--kafka",
                "no-such-host.invalid:9092",
                "--pcap",
                pcap);
    }

    @Test
    void aCpuThatIsNotThereIsToldBeforeKafkaIsAsked() {
        Cli.Result result =
                Cli.run("worker", "--kafka", "127.0.0.1:9", "--pcap", pcap, "--pin", "9999");
        assertEquals(2, result.code());
        assertEquals(
                "error INVALID_OPTION: --pin: a thread cannot be bound to CPU 9999",
                result.err().lines().findFirst().orElse(""));
    }

    @Test
    void anAuditWhereNoDirectoryIs() {
        assertFails(
                "UNWRITABLE_OUTPUT: the audit "
                        + folder
                        + "/none/audit cannot be written: there is no directory "
                        + folder
                        + "/none",
                "no statement runs without a note",
                "server",
                "--port",
                "0",
                "--pcap",
                pcap,
                "--audit",
                folder + "/none/audit");
    }
}
