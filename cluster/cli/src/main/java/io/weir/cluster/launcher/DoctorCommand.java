package io.weir.cluster.launcher;

import io.weir.cluster.doctor.Doctor;
import io.weir.cluster.doctor.Finding;
import io.weir.cluster.doctor.SourceChecks;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.server.WeirDriver;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir doctor}: finds broken parts. */
@Command(
        name = "doctor",
        sortOptions = false,
        description = {
            "Looks at this machine, at a cluster's Kafka, workers and merge, and at SQL servers,"
                    + " stage by stage, and names the first that is broken, with the remedy.",
            "",
            "It changes nothing, and takes some seconds, for which it listens to the workers. Exit"
                    + " code 0 when nothing is broken, else 1."
        },
        footer = {
            "",
            "Example:",
            "  weir doctor --kafka 127.0.0.1:9092 --url jdbc:weir://localhost:9347"
        })
final class DoctorCommand implements Callable<Integer> {
    static final int BROKEN = 1;

    /** The packages' configuration file. */
    private static final Path INSTALLED = Path.of("/etc/weir/weir.conf");

    private final StandardStreams streams;
    private final Supplier<CommandLine> commands;

    @Spec private CommandSpec command;

    @Mixin private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "A SQL server, as jdbc:weir://localhost:9347; may be repeated.")
    private List<String> urls = new ArrayList<>();

    @Mixin private LoginOptions login = new LoginOptions();

    @Option(
            names = "--workers",
            split = ",",
            paramLabel = "NODE",
            description = {
                "Workers that should be alive. Without it, those that were heard in the last two"
                        + " minutes."
            })
    private Set<String> workers = new TreeSet<>();

    @Option(
            names = "--source",
            paramLabel = "URI",
            description = {
                "A source that this machine should be able to read, as afpacket:eth0; may be"
                        + " repeated."
            })
    private List<String> sources = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = {
                "A configuration file to check too (default: /etc/weir/weir.conf, if it is there)."
            })
    private Path config;

    /**
     * @param commands makes the command line, which knows the keys of a configuration file
     */
    DoctorCommand(StandardStreams streams, Supplier<CommandLine> commands) {
        this.streams = streams;
        this.commands = commands;
    }

    @Override
    public Integer call() throws InterruptedException {
        login.check(!urls.isEmpty(), "Kafka's are in --kafka-config");
        Optional<KafkaSettings> cluster = kafka.given();
        if (cluster.isEmpty()) {
            TypedOptions.checkNone(command, "--workers", "goes with --kafka", "--kafka HOST:PORT");
        }
        PrintStream out = new PrintStream(streams.out(), true, StandardCharsets.UTF_8);
        List<Finding> findings = new ArrayList<>(configured());
        sources.forEach(uri -> findings.addAll(SourceChecks.run(uri)));
        findings.forEach(finding -> print(finding, out));
        findings.addAll(
                new Doctor(cluster, urls, login(), workers, Doctor.WATCH, f -> print(f, out))
                        .run());
        Optional<Finding> first = findings.stream().filter(Finding::isBroken).findFirst();
        out.println(
                first.map(finding -> "first broken stage: " + finding.stage())
                        .orElse("nothing is broken"));
        return first.isPresent() ? BROKEN : ExitCode.OK;
    }

    private List<Finding> configured() {
        if (config == null && !Files.exists(INSTALLED)) {
            return List.of();
        }
        return new ConfigCheck(commands, config == null ? INSTALLED : config).run();
    }

    private Properties login() {
        Properties properties = new Properties();
        login.user()
                .ifPresent(
                        user -> {
                            properties.setProperty("user", user);
                            String password = new String(login.password(() -> new char[0]));
                            properties.setProperty("password", password);
                        });
        login.trust().ifPresent(file -> properties.setProperty(WeirDriver.TRUST, file));
        return properties;
    }

    private static void print(Finding finding, PrintStream out) {
        String state =
                switch (finding.state()) {
                    case OK -> "ok";
                    case NOTE -> "note";
                    case BROKEN -> "BROKEN";
                    case SKIPPED -> "skipped";
                };
        out.printf("%-8s%-14s %s%n", state, finding.stage(), finding.about());
        if (!finding.remedy().isEmpty()) {
            out.printf("%-8s%-14s → %s%n", "", "", finding.remedy());
        }
    }
}
