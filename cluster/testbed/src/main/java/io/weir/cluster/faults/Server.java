package io.weir.cluster.faults;

import io.weir.cluster.demo.Processes.Started;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A SQL server's process, and questions to it. One thread. */
final class Server {
    private static final String LISTENS = "listening on ";

    private static final long POLL_MS = 20;

    private final Started process;
    private Connection connection;

    Server(Started process) {
        this.process = process;
    }

    Started process() {
        return process;
    }

    /** Returns when it listens. */
    void await() throws InterruptedException {
        process.await(LISTENS);
    }

    /** Waits likewise, unless it ends before. Returns whether it listens. */
    boolean comes() throws InterruptedException {
        while (!listens() && process.process().isAlive()) {
            Thread.sleep(POLL_MS);
        }
        return listens();
    }

    private boolean listens() {
        return process.lines().stream().anyMatch(line -> line.contains(LISTENS));
    }

    private Statement statement() throws SQLException, InterruptedException {
        if (connection == null) {
            String line = process.await(LISTENS);
            connection = DriverManager.getConnection(line.substring(line.indexOf("jdbc:")));
        }
        return connection.createStatement();
    }

    void execute(String sql) throws SQLException, InterruptedException {
        try (Statement statement = statement()) {
            statement.execute(sql);
        }
    }

    /** Returns the number of a statement's rows. */
    long count(String sql) throws SQLException, InterruptedException {
        long count = 0;
        try (Statement statement = statement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    /** Returns SHOW WORKERS' state of a worker; empty if it does not know the worker. */
    String state(String node) throws SQLException, InterruptedException {
        return worker(node, "state");
    }

    /** Returns the rows that a worker reports as lost. */
    long lost(String node) throws SQLException, InterruptedException {
        String lost = worker(node, "lost");
        return lost.isEmpty() ? 0 : Long.parseLong(lost);
    }

    private String worker(String node, String column) throws SQLException, InterruptedException {
        try (Statement statement = statement();
                ResultSet rows = statement.executeQuery("SHOW WORKERS")) {
            while (rows.next()) {
                if (rows.getString("worker").equals(node)) {
                    return rows.getString(column);
                }
            }
        }
        return "";
    }
}
