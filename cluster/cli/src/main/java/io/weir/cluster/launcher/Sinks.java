package io.weir.cluster.launcher;

import io.weir.cluster.alert.AlertmanagerSink;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.metrics.PrometheusSink;
import io.weir.cluster.sink.AsyncSink;
import io.weir.cluster.sink.Fanout;
import io.weir.cluster.sink.FileOptions;
import io.weir.cluster.sink.FileSink;
import io.weir.cluster.sink.Format;
import io.weir.cluster.sink.OutputSink;
import io.weir.cluster.sink.TolerantSink;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.operators.time.Clock;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the sinks of a command line. Their account is in rows. */
final class Sinks {
    private static final Logger LOG = LoggerFactory.getLogger(Sinks.class);
    private static final String ALERTMANAGER = "as in alertmanager:http://127.0.0.1:9093";
    private static final int SERIES = 1_000;
    private static final int ALERTS = 10_000;
    private static final Duration RESOLVE = Duration.ofMinutes(5);

    private final Account account = new Account();
    private final List<PrometheusSink> prometheus = new ArrayList<>();
    private final Map<InetSocketAddress, Endpoint> endpoints = new HashMap<>();
    private boolean numbered;

    Account account() {
        return account;
    }

    /** Adds the account of packets to the sinks that show it. */
    void tellOf(Account packets) {
        prometheus.forEach(sink -> sink.own().add(packets));
    }

    /**
     * Returns the first sink with those beside it. If one cannot be made, none stays open.
     *
     * @param queries whose rows there will be
     */
    OutputSink beside(OutputSink first, List<SinkSpec> specs, List<Query> queries) {
        List<Fanout.Branch> branches = new ArrayList<>();
        branches.add(new Fanout.Branch(Optional.empty(), first));
        try {
            for (SinkSpec spec : specs) {
                branches.add(new Fanout.Branch(spec.query(), sink(spec, wanted(spec, queries))));
            }
        } catch (RuntimeException e) {
            new Fanout(branches).close();
            throw e;
        }
        return new Fanout(branches);
    }

    /**
     * Makes sinks beside a worker. Queries come and go, and failures are only reported.
     *
     * @param patience with a disk, each sink's own
     */
    OutputSink ofWorker(List<SinkSpec> specs, Supplier<Patience> patience) {
        return new Fanout(tolerant(specs, Optional.of(patience)));
    }

    /** Makes sinks for rows that come from Kafka. A sink that can store its position does so. */
    List<Fanout.Branch> ofKafka(List<SinkSpec> specs) {
        numbered = true;
        return tolerant(specs, Optional.empty());
    }

    private List<Fanout.Branch> tolerant(
            List<SinkSpec> specs, Optional<Supplier<Patience>> patience) {
        List<Fanout.Branch> branches = new ArrayList<>();
        try {
            for (SinkSpec spec : specs) {
                OutputSink sink = new TolerantSink(spec.title(), sink(spec, List.of()));
                if (patience.isPresent() && spec.kind().equals("file")) {
                    sink = aside(spec, sink, patience.get().get());
                }
                branches.add(new Fanout.Branch(spec.query(), sink));
            }
        } catch (RuntimeException e) {
            new Fanout(branches).close();
            throw e;
        }
        return branches;
    }

    private OutputSink aside(SinkSpec spec, OutputSink sink, Patience patience) {
        return new AsyncSink(spec.title(), sink, patience, page(spec));
    }

    private Stage page(SinkSpec spec) {
        return account.stage("rows to " + spec.title());
    }

    private static List<Query> wanted(SinkSpec spec, List<Query> queries) {
        List<Query> wanted =
                queries.stream()
                        .filter(q -> spec.query().isEmpty() || spec.query().get().equals(q.name()))
                        .toList();
        if (wanted.isEmpty()) {
            List<String> names = queries.stream().map(Query::name).toList();
            throw spec.wrong(
                    "no rows of a query " + spec.query().orElse("") + " are printed",
                    "there are rows of " + String.join(", ", names));
        }
        return wanted;
    }

    private OutputSink sink(SinkSpec spec, List<Query> queries) {
        return switch (spec.kind()) {
            case "file" -> file(spec);
            case "prometheus" -> prometheus(spec, queries);
            default -> alertmanager(spec);
        };
    }

    private static Format format(SinkSpec spec, String name) {
        return switch (name) {
            case "json" -> Format.JSON;
            case "csv" -> Format.CSV;
            default -> throw spec.wrong("a file of rows is json or csv", null);
        };
    }

    private OutputSink file(SinkSpec spec) {
        FileOptions standard = FileOptions.DEFAULT;
        FileOptions options =
                new FileOptions(
                        spec.text("format").map(f -> format(spec, f)).orElse(standard.format()),
                        spec.bytes("size", standard.mostBytes()),
                        spec.duration("every", standard.longest()),
                        spec.count("keep", 0, standard.keep()));
        spec.checkAllTaken();
        return new FileSink(Path.of(spec.target()), options, Clock.SYSTEM, page(spec), numbered);
    }

    private OutputSink prometheus(SinkSpec spec, List<Query> queries) {
        InetSocketAddress socket =
                Ports.address(spec.target(), "as in prometheus:9469", spec::wrong);
        int series = spec.count("series", 1, SERIES);
        Duration hold = spec.duration("hold", Duration.ZERO);
        spec.checkAllTaken();
        Endpoint endpoint = endpoints.get(socket);
        if (endpoint != null) {
            return endpoint.shared(spec, series, hold, queries);
        }
        PrometheusSink.check(queries);
        PrometheusSink sink = new PrometheusSink(socket, series, hold, account);
        prometheus.add(sink);
        if (socket.getPort() != 0) {
            endpoints.put(socket, new Endpoint(sink, spec, series, hold, queries));
        }
        LOG.info("metrics on http://{}:{}/metrics", socket.getHostString(), sink.port());
        return sink;
    }

    /** A port that sinks of several queries share. */
    private static final class Endpoint {
        private final PrometheusSink sink;
        private final int series;
        private final Duration hold;
        private final List<Optional<String>> names = new ArrayList<>();
        private final List<Query> all = new ArrayList<>();

        Endpoint(
                PrometheusSink sink,
                SinkSpec spec,
                int series,
                Duration hold,
                List<Query> queries) {
            this.sink = sink;
            this.series = series;
            this.hold = hold;
            names.add(spec.query());
            all.addAll(queries);
        }

        /** Returns the sink for another query. */
        PrometheusSink shared(SinkSpec spec, int series, Duration hold, List<Query> queries) {
            if (this.series != series || !this.hold.equals(hold)) {
                throw spec.wrong(
                        "another --sink has this port with other options",
                        "give both the same series= and hold=");
            } else if (names.contains(spec.query())
                    || spec.query().isEmpty()
                    || names.contains(Optional.<String>empty())) {
                throw spec.wrong(
                        "another --sink gives the same rows to this port",
                        "one --sink prometheus:PORT has all queries; QUERY=prometheus:PORT has one");
            }
            names.add(spec.query());
            all.addAll(queries);
            PrometheusSink.check(all);
            return sink;
        }
    }

    private OutputSink alertmanager(SinkSpec spec) {
        URI url = url(spec);
        Duration resolve = spec.duration("resolve", RESOLVE);
        int queue = spec.count("queue", 1, ALERTS);
        Map<String, String> labels = spec.all("label.");
        spec.checkAllTaken();
        return new AlertmanagerSink(url, resolve, labels, queue, Clock.SYSTEM, page(spec));
    }

    private static URI url(SinkSpec spec) {
        try {
            URI url = new URI(spec.target());
            if (String.valueOf(url.getScheme()).matches("https?") && url.getHost() != null) {
                return url;
            }
        } catch (URISyntaxException e) {
            throw spec.wrong("there is no URL", ALERTMANAGER);
        }
        throw spec.wrong("there is no URL", ALERTMANAGER);
    }
}
