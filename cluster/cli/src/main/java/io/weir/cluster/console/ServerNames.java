package io.weir.cluster.console;

import io.weir.operators.function.FunctionRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The names for completion: functions, and the server's streams, queries and columns at that
 * moment. A server that does not answer has none. The console's thread.
 */
final class ServerNames implements Supplier<Collection<String>>, AutoCloseable {
    private final Login login;
    private Connection connection;

    ServerNames(Login login) {
        this.login = login;
    }

    @Override
    public Collection<String> get() {
        Set<String> names = new TreeSet<>();
        names.addAll(FunctionRegistry.loaded().names());
        try {
            addAsked(names);
        } catch (SQLException e) {
            close(); // the next Tab connects again
        }
        return names;
    }

    private void addAsked(Set<String> names) throws SQLException {
        if (connection == null) {
            connection = login.connect();
        }
        try (ResultSet columns = connection.getMetaData().getColumns(null, "public", "%", "%")) {
            while (columns.next()) {
                names.add(columns.getString("TABLE_NAME"));
                names.add(columns.getString("COLUMN_NAME"));
            }
        }
    }

    @Override
    public void close() {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                // The server has gone.
            }
            connection = null;
        }
    }
}
