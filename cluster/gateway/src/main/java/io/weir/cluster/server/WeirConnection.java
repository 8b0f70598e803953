package io.weir.cluster.server;

import io.weir.cluster.security.User;
import io.weir.sql.catalog.Streams;
import java.net.URL;
import java.sql.BatchUpdateException;
import java.sql.ClientInfoStatus;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.ConnectionConfig;
import org.apache.calcite.avatica.ConnectionConfigImpl;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.UnregisteredDriver;
import org.apache.calcite.avatica.remote.AvaticaHttpClientFactory;

/** Avatica's connection, corrected to JDBC. */
final class WeirConnection extends AvaticaConnection {
    private static final int PING_MS = 60_000;

    /**
     * It is set while the superclass' constructor runs, which needs it. So it has no initial value.
     */
    private HttpTransport transport;

    WeirConnection(
            UnregisteredDriver driver, AvaticaFactory factory, String url, Properties properties) {
        super(driver, factory, url, properties);
    }

    /** Requests use the transport of this connection. */
    @Override
    public ConnectionConfig config() {
        return new ConnectionConfigImpl(info) {
            @Override
            public AvaticaHttpClientFactory httpClientFactory() {
                return (url, config, kerberos) -> transport(url, config);
            }
        };
    }

    private HttpTransport transport(URL url, ConnectionConfig config) {
        transport =
                new HttpTransport(
                        url, config.avaticaUser(), config.avaticaPassword(), config.truststore());
        return transport;
    }

    HttpTransport transport() {
        return transport;
    }

    Meta meta() {
        return meta;
    }

    String userName() {
        String user = config().avaticaUser();
        return user == null ? User.ANYBODY.name() : user;
    }

    /** Returns the silence after which the server forgets a client. */
    long idleMs() {
        return transport.idleMs();
    }

    /** Makes the requests of one statement, whose time-out holds for all of them together. */
    <T> T executing(StatementSettings settings, Callable<T> requests) throws SQLException {
        try {
            return transport.within(settings, requests);
        } catch (SQLException e) {
            throw e;
        } catch (Exception e) {
            throw JdbcErrors.of(e);
        }
    }

    /** Prepares a statement at the server. */
    Meta.StatementHandle prepared(String sql) throws SQLException {
        try {
            Meta.StatementHandle made = meta.prepare(handle, sql, -1);
            RefusedStatement.check(made);
            return made;
        } catch (RuntimeException e) {
            throw JdbcErrors.of(e);
        }
    }

    static SQLException hasRows() {
        return new SQLException("the statement has rows: executeQuery gives them", "0100E");
    }

    @Override
    public AvaticaStatement createStatement(int type, int concurrency, int holdability)
            throws SQLException {
        checkRows(type, concurrency, holdability);
        return super.createStatement(type, concurrency, holdability);
    }

    @Override
    public PreparedStatement prepareStatement(
            String sql, int type, int concurrency, int holdability) throws SQLException {
        checkRows(type, concurrency, holdability);
        return super.prepareStatement(sql, type, concurrency, holdability);
    }

    private static void checkRows(int type, int concurrency, int holdability) throws SQLException {
        if (type != ResultSet.TYPE_FORWARD_ONLY || concurrency != ResultSet.CONCUR_READ_ONLY) {
            throw unsupported("rows come in their order and are read only");
        }
        checkHoldability(holdability);
    }

    private static void checkHoldability(int holdability) throws SQLException {
        if (holdability != ResultSet.HOLD_CURSORS_OVER_COMMIT) {
            throw unsupported("there are no transactions whose end could close rows");
        }
    }

    private static SQLException unsupported(String why) {
        return new SQLFeatureNotSupportedException(why, JdbcErrors.NOT_SUPPORTED);
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        checkOpen();
        checkHoldability(holdability);
    }

    @Override
    public void setAutoCommit(boolean auto) throws SQLException {
        checkOpen();
        if (!auto) {
            throw unsupported("there are no transactions: each statement is its own");
        }
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        checkOpen();
        if (level != TRANSACTION_NONE) {
            throw unsupported("there are no transactions: the level is TRANSACTION_NONE");
        }
    }

    @Override
    public void commit() throws SQLException {
        checkOpen();
        throw unsupported("there are no transactions to commit");
    }

    /** In read-only mode the server refuses CREATE and DROP. Users without the right stay in it. */
    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        super.setReadOnly(readOnly);
        isReadOnly(); // a setting reaches the server only with a question
    }

    @Override
    public void setNetworkTimeout(Executor unused, int milliseconds) throws SQLException {
        checkOpen();
        if (milliseconds < 0) {
            throw new SQLException("a time-out of " + milliseconds + " ms cannot be", "HY024");
        }
        transport.networkTimeoutMs(milliseconds);
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        checkOpen();
        return transport.networkTimeoutMs();
    }

    @Override
    public boolean isValid(int seconds) throws SQLException {
        if (seconds < 0) {
            throw new SQLException("a time-out of " + seconds + " s cannot be", "HY024");
        } else if (isClosed()) {
            return false;
        }
        StatementSettings ping = new StatementSettings();
        ping.timeoutSeconds(seconds == 0 ? PING_MS / 1_000 : seconds);
        ping.begin();
        try {
            return executing(ping, () -> meta.getTableTypes(handle)) != null;
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        if (executor == null) {
            throw new SQLException("an executor is needed", "HY009");
        }
        executor.execute(
                () -> {
                    try {
                        close();
                    } catch (SQLException | RuntimeException e) {
                        // It must end, whatever happens.
                    }
                });
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        throw noClientInfo(Map.of(name, ClientInfoStatus.REASON_UNKNOWN_PROPERTY));
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        Map<String, ClientInfoStatus> failed = new HashMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> failed.put(name, ClientInfoStatus.REASON_UNKNOWN_PROPERTY));
        throw noClientInfo(failed);
    }

    private static SQLClientInfoException noClientInfo(Map<String, ClientInfoStatus> failed) {
        return new SQLClientInfoException(
                "the server keeps nothing about clients", JdbcErrors.NOT_SUPPORTED, failed);
    }

    /**
     * Avatica would leave statements open, and the first use of one would open the connection
     * again.
     */
    @Override
    public void close() throws SQLException {
        for (AvaticaStatement statement : List.copyOf(statementMap.values())) {
            try {
                statement.close();
            } catch (SQLException | RuntimeException e) {
                // A server that is gone has closed it already.
            }
        }
        try {
            super.close();
        } catch (SQLException e) {
            if (!JdbcErrors.of(e).getSQLState().startsWith("08")) {
                throw e;
            } // a server that is gone, or has forgotten it, has closed it
        }
    }

    /** Avatica would accept any value. */
    @Override
    public void setCatalog(String catalog) throws SQLException {
        checkOpen();
        if (catalog != null && !catalog.isEmpty()) {
            throw new SQLException("there are no catalogs, and so no " + catalog, "3D000");
        }
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        checkOpen();
        if (schema != null && !schema.equals(Streams.SCHEMA)) {
            throw new SQLException(
                    "the schema is "
                            + Streams.SCHEMA
                            + "; names of others are written with theirs,"
                            + " as sys.queries",
                    "3F000");
        }
    }

    @Override
    public void rollback() throws SQLException {
        checkOpen();
        throw unsupported("there are no transactions to roll back");
    }

    /** Each command is one request, so that the effects before a failure are known. */
    @Override
    protected Meta.ExecuteBatchResult prepareAndUpdateBatch(
            AvaticaStatement statement, List<String> texts)
            throws NoSuchStatementException, SQLException {
        long[] counts = new long[texts.size()];
        for (int i = 0; i < counts.length; i++) {
            try {
                counts[i] =
                        super.prepareAndUpdateBatch(statement, List.of(texts.get(i)))
                                .updateCounts[0];
            } catch (AvaticaClientRuntimeException e) {
                throw new BatchUpdateException(
                        e.getMessage(),
                        e.getSqlState(),
                        e.getErrorCode(),
                        Arrays.copyOf(counts, i),
                        e);
            }
        }
        return new Meta.ExecuteBatchResult(counts);
    }
}
