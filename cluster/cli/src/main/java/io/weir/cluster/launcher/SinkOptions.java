package io.weir.cluster.launcher;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The options for further sinks of rows, the same for all commands that have rows. docs/SINKS.md.
 */
final class SinkOptions {
    @Option(
            names = "--sink",
            paramLabel = "[QUERY=]KIND:TARGET[?OPTION=VALUE&...]",
            description = {
                "Give the rows of all queries, or of one, to something else too. May be repeated.",
                "  file:FOLDER?format=json|csv&size=100MB&every=1h&keep=N",
                "  prometheus:[HOST:]PORT?series=1000&hold=0s",
                "  alertmanager:URL?resolve=5m&queue=10000&label.NAME=VALUE"
            })
    private List<String> sinks = new ArrayList<>();

    List<SinkSpec> specs() {
        return sinks.stream().map(SinkSpec::parse).toList();
    }
}
