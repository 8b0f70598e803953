package io.weir.cluster.launcher;

import io.weir.cluster.sink.TextOut;
import io.weir.cluster.sink.TextTable;
import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir queries}: the library. */
@Command(
        name = "queries",
        sortOptions = false,
        description = "Lists the library of queries for weir run --library, or shows one.",
        footer = {
            "",
            "Examples:",
            "  weir queries",
            "  weir queries port_scan",
            "  weir run --library port_scan --pcap trace.pcap"
        })
final class QueriesCommand implements Callable<Integer> {
    private final StandardStreams streams;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Show the text of this one.")
    private String name;

    QueriesCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        QueryLibrary library = QueryLibrary.load();
        TextOut out = new TextOut(streams.out());
        if (name != null) {
            out.put(library.find(name).text().stripTrailing());
            out.put('\n');
            out.flush();
            return ExitCode.OK;
        }
        TextTable.print(
                out,
                List.of("query", "parameters", "about"),
                library.all().stream().map(QueriesCommand::row).toList());
        return ExitCode.OK;
    }

    private static List<String> row(LibraryQuery query) {
        String parameters =
                query.defaults().entrySet().stream()
                        .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                        .sorted()
                        .collect(Collectors.joining(" "));
        return List.of(query.name(), parameters, query.about());
    }
}
