package io.weir.cluster.doctor;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Checks whether a SQL server answers, as any client would. */
final class ServerCheck {
    private static final String AS_OF_THEN = "its answers are from before Kafka fell silent";
    private static final String UNHEARD = "unheard";

    private final String url;
    private final Properties login;

    /**
     * @param login user, password and trust for the driver
     */
    ServerCheck(String url, Properties login) {
        this.url = url;
        this.login = login;
    }

    /**
     * Returns the server's knowledge of a cluster's workers while it hears none; otherwise empty.
     */
    private static Optional<String> workers(Statement statement) {
        List<String> states = new ArrayList<>();
        try (ResultSet workers = statement.executeQuery("SHOW WORKERS")) {
            while (workers.next()) {
                states.add(workers.getString("worker") + " " + workers.getString("state"));
            }
        } catch (SQLException noneOfACluster) {
            return Optional.empty();
        }
        boolean isUnheard = states.stream().anyMatch(state -> state.contains(" " + UNHEARD));
        return isUnheard ? Optional.of("workers: " + String.join(", ", states)) : Optional.empty();
    }

    Finding run() {
        try (Connection connection = DriverManager.getConnection(url, login);
                Statement statement = connection.createStatement();
                ResultSet queries = statement.executeQuery("SHOW QUERIES")) {
            int count = 0;
            while (queries.next()) {
                count++;
            }
            String about = url + " answers, and shows " + Finding.queries(count);
            return workers(statement)
                    .map(unheard -> Finding.note("sql server", about + "; " + unheard, AS_OF_THEN))
                    .orElseGet(() -> Finding.ok("sql server", about));
        } catch (SQLException e) {
            return Finding.broken(
                    "sql server",
                    url + " does not answer: " + String.valueOf(e.getMessage()).replace('\n', ' '),
                    "is weir server running there (journalctl -u weir-server), and does it know --user?");
        }
    }
}
