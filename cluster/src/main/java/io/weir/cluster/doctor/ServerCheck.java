package io.weir.cluster.doctor;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Whether a SQL server answers, as any client asks it. */
final class ServerCheck {
    private final String url;
    private final Properties login;

    /**
     * @param login what the driver is told besides: who one is, whom to trust
     */
    ServerCheck(String url, Properties login) {
        this.url = url;
        this.login = login;
    }

    Finding run() {
        try (Connection connection = DriverManager.getConnection(url, login);
                Statement statement = connection.createStatement();
                ResultSet queries = statement.executeQuery("SHOW QUERIES")) {
            int count = 0;
            while (queries.next()) {
                count++;
            }
            return Finding.ok("sql server", url + " answers, and shows " + Finding.queries(count));
        } catch (SQLException e) {
            return Finding.broken(
                    "sql server",
                    url + " does not answer: " + String.valueOf(e.getMessage()).replace('\n', ' '),
                    "is weir server running there (journalctl -u weir-server), and does it know --user?");
        }
    }
}
