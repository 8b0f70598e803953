package io.weir.cluster.demo;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A cluster on one machine, as processes: three brokers, some workers, two SQL servers. Each worker
 * is a node with packets of its own. It prints the events, and their times.
 */
public final class ClusterDemo {
    private static final int BROKERS = 3;

    private static final List<String> SERVER = List.of("-Xmx160m", Processes.QUICK_COMPILER);
    private static final List<String> WORKER = List.of("-Xmx192m");
    private static final String SOURCES =
            "SELECT node, uri, state, packets, lost, excluded FROM sys.sources ORDER BY node";
    private static final Duration TO_BEGIN = Duration.ofSeconds(4);

    private final Path directory;
    private final DemoPackets packets;
    private final Duration length;
    private final PrintStream out;
    private final Stopping stopping;
    private final long startedNs = Clock.SYSTEM.nanos();

    /**
     * @param directory for logs, outboxes and output
     * @param length how long it watches, at most
     */
    public ClusterDemo(
            Path directory,
            DemoPackets packets,
            Duration length,
            PrintStream out,
            Stopping stopping) {
        this.directory = directory;
        this.packets = packets;
        this.length = length;
        this.out = out;
        this.stopping = stopping;
    }

    /**
     * Runs to its end, or until it is stopped. Nothing is left running.
     *
     * @throws WeirException INTERNAL when a query of the chain has no rows in the time
     */
    public void run(List<String> statements, List<String> chain)
            throws SQLException, InterruptedException {
        try (Processes processes = new Processes(directory)) {
            try {
                run(processes, statements, chain);
            } finally {
                say("stopping");
            }
        } finally {
            say("stopped");
        }
    }

    private void run(Processes processes, List<String> statements, List<String> chain)
            throws SQLException, InterruptedException {
        String kafka = brokers(processes);
        List<String> servers = servers(processes, kafka);
        List<Processes.Started> workers = workers(processes, kafka);
        try (Connection first = DriverManager.getConnection(servers.get(0));
                Connection second = DriverManager.getConnection(servers.get(1))) {
            for (String statement : statements) {
                stopping.check();
                execute(first, statement);
            }
            say("queries, created at one server, shown by the other:");
            table(second, "SHOW QUERIES", 2);
            List<String> without = watch(second, workers, chain);
            say("workers:");
            table(second, "SHOW WORKERS", Integer.MAX_VALUE);
            table(second, "SHOW EVENTS", Integer.MAX_VALUE);
            if (packets.areLive()) {
                say("sources:");
                table(second, SOURCES, Integer.MAX_VALUE);
            }
            check(without);
        }
    }

    private void check(List<String> without) {
        if (!without.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "no rows of "
                            + String.join(", ", without)
                            + (" in " + length.toSeconds() + " s"),
                    "the output of each process is in " + directory + "; --time gives them longer");
        }
    }

    private String brokers(Processes processes) throws InterruptedException {
        Brokers brokers = new Brokers(processes, directory, "127.0.0.1", BROKERS);
        brokers.start();
        say(BROKERS + " brokers run");
        return brokers.bootstrap();
    }

    private List<String> servers(Processes processes, String kafka) throws InterruptedException {
        List<Processes.Started> servers = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            servers.add(
                    processes.start(
                            "server-" + i, SERVER, "server", "--kafka", kafka, "--port", "0"));
        }
        List<String> urls = new ArrayList<>();
        for (Processes.Started server : servers) {
            String line = server.await("listening on ");
            urls.add(line.substring(line.indexOf("jdbc:")));
            say("SQL server: " + urls.get(urls.size() - 1));
        }
        return urls;
    }

    private List<Processes.Started> workers(Processes processes, String kafka)
            throws InterruptedException {
        Instant begin =
                Clock.SYSTEM.instant().plus(TO_BEGIN).plusSeconds(4).truncatedTo(ChronoUnit.MILLIS);
        List<Processes.Started> workers = new ArrayList<>();
        for (String node : packets.nodes()) {
            List<String> options = new ArrayList<>(List.of("worker", "--kafka", kafka));
            options.addAll(List.of("--node-id", node));
            options.addAll(packets.options(node, begin));
            options.addAll(List.of("--outbox", directory.resolve("outbox-" + node).toString()));
            workers.add(processes.start("worker-" + node, WORKER, options.toArray(String[]::new)));
        }
        for (Processes.Started worker : workers) {
            worker.await("has the catalogue");
        }
        String from = packets.areLive() ? "packets come" : "packets begin at " + begin;
        say(workers.size() + " workers have the catalogue; " + from);
        return workers;
    }

    /**
     * Prints rows of the chain's queries as they come, until its last one has some. Returns the
     * queries without rows.
     */
    private List<String> watch(
            Connection server, List<Processes.Started> workers, List<String> chain)
            throws SQLException, InterruptedException {
        long deadline = Clock.SYSTEM.nanos() + length.toNanos();
        WorkerWords words = new WorkerWords(workers);
        List<String> waiting = new ArrayList<>(chain);
        while (Clock.SYSTEM.nanos() < deadline && !waiting.isEmpty()) {
            stopping.check();
            words.fresh().forEach(this::say);
            for (String query : List.copyOf(waiting)) {
                stopping.check();
                List<String> rows = rows(server, "SELECT * FROM " + query + " LIMIT 2");
                if (rows.size() > 1) {
                    say("first rows of " + query + ":");
                    rows.forEach(row -> out.println("             " + row));
                    waiting.remove(query);
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        words.fresh().forEach(this::say);
        return waiting;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void table(Connection connection, String sql, int columns) throws SQLException {
        for (String row : rows(connection, sql)) {
            String[] cells = row.split(" \\| ", -1);
            int shown = Math.min(columns, cells.length);
            out.println("             " + String.join(" | ", List.of(cells).subList(0, shown)));
        }
    }

    /** Returns the rows, headings first. */
    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            List<String> cells = new ArrayList<>();
            for (int c = 1; c <= columns; c++) {
                cells.add(result.getMetaData().getColumnLabel(c));
            }
            rows.add(String.join(" | ", cells));
            while (result.next()) {
                cells.clear();
                for (int c = 1; c <= columns; c++) {
                    cells.add(String.valueOf(result.getString(c)));
                }
                rows.add(String.join(" | ", cells));
            }
        }
        return rows;
    }

    private void say(String text) {
        double seconds = (Clock.SYSTEM.nanos() - startedNs) / 1e9;
        out.printf(Locale.ROOT, "%9.3f s  %s%n", seconds, text);
    }
}
