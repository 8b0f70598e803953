package io.weir.cluster.server;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta.StatementHandle;

/** Avatica's statement, which would accept settings and ignore them. */
final class WeirStatement extends AvaticaStatement implements StatementSettings.Holder {
    private final StatementSettings settings = new StatementSettings();

    WeirStatement(
            WeirConnection connection,
            StatementHandle handle,
            int type,
            int concurrency,
            int holdability) {
        super(connection, handle, type, concurrency, holdability);
    }

    @Override
    public StatementSettings settings() {
        return settings;
    }

    @Override
    protected void executeInternal(String sql) throws SQLException {
        settings.begin();
        ours().executing(
                        settings,
                        () -> {
                            super.executeInternal(sql);
                            return null;
                        });
    }

    private WeirConnection ours() {
        return (WeirConnection) connection;
    }

    /** JDBC requires an error here if there are rows. */
    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        long count = super.executeLargeUpdate(sql);
        if (openResultSet != null) {
            openResultSet.close();
            throw WeirConnection.hasRows();
        }
        return count;
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        settings.begin();
        return ours().executing(settings, super::executeLargeBatch);
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        checkOpen();
        settings.timeoutSeconds(seconds);
    }

    @Override
    public int getQueryTimeout() throws SQLException {
        checkOpen();
        return settings.timeoutSeconds();
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        checkOpen();
        settings.fetchRows(rows);
    }

    @Override
    public int getFetchSize() throws SQLException {
        checkOpen();
        return settings.fetchRows();
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        checkOpen();
        StatementSettings.checkDirection(direction);
    }

    @Override
    public int getFetchDirection() throws SQLException {
        checkOpen();
        return ResultSet.FETCH_FORWARD;
    }

    @Override
    public void setMaxFieldSize(int most) throws SQLException {
        checkOpen();
        StatementSettings.checkFieldSize(most);
    }

    /** Avatica's method waits for a statement that is being executed. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void cancel() throws SQLException {
        checkOpen();
        settings.cancel();
    }
}
