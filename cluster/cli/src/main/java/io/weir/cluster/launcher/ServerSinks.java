package io.weir.cluster.launcher;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.metrics.StageMeter;
import io.weir.cluster.service.ClusterNode;
import io.weir.cluster.service.ClusterSinks;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options for sinks of a cluster's server, which gets the rows of all makers. docs/SINKS.md.
 */
final class ServerSinks {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,200}");

    @Mixin private SinkOptions sinks = new SinkOptions();

    @Option(
            names = "--sink-group",
            paramLabel = "NAME",
            description = {
                "Servers of one group share the rows, each query's at one of them; where it was is kept"
                        + " in Kafka under this name (default: the machine's name and the port)."
            })
    private String group;

    /** Fails if they are malformed, before anything is started. */
    void check() {
        if (group != null && !NAME.matcher(group).matches()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--sink-group " + group + " cannot be",
                    "letters, digits and . _ : -");
        }
        boolean none = sinks.specs().isEmpty();
        if (group != null && none) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "--sink-group is without --sink", "--sink file:rows");
        }
    }

    /** Fails if there are any, because only a cluster's server gives rows by itself. */
    void checkNone() {
        if (group != null || !sinks.specs().isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--sink at a server needs --kafka: without it, rows are made only for clients",
                    "weir run --sink gives the rows of captures to sinks");
        }
    }

    /**
     * Gives rows from now on, if there are sinks. The caller closes them.
     *
     * @param server its name, if no group is named
     */
    Optional<ClusterSinks> start(
            KafkaSettings kafka, ClusterNode node, String server, MetricsOption.Page page) {
        List<SinkSpec> specs = sinks.specs();
        if (specs.isEmpty()) {
            return Optional.empty();
        }
        Sinks made = new Sinks();
        ClusterSinks started =
                new ClusterSinks(
                        kafka,
                        node,
                        group == null ? server.replaceAll("[^A-Za-z0-9._:-]", "_") : group,
                        made.ofKafka(specs),
                        made.account());
        page.with(new StageMeter(made.account(), "server", server));
        return Optional.of(started.start());
    }
}
