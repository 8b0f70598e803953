package io.weir.cluster.server;

import io.weir.cluster.node.Answer;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.session.Execution;
import io.weir.cluster.session.NoStatementException;
import io.weir.cluster.session.OpenStatement;
import io.weir.cluster.session.OpenStatement.Prepared;
import io.weir.cluster.session.Sessions;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.catalog.Streams;
import io.weir.sql.validate.Placeholders;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.ConnectionPropertiesImpl;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.remote.TypedValue;

/**
 * Answers Avatica's requests with a node. Results are never collected. The first frame is empty,
 * and each fetch waits for rows up to a second. So a client sees a row as soon as there is one, and
 * the server soon sees that a client is gone. Thread-safe: HTTP threads call it.
 */
final class WeirMeta extends CatalogMeta {
    private static final long FETCH_WAIT_NS = 1_000_000_000L;
    private static final int MAX_FRAME_ROWS = 1_000;

    private final Sessions sessions;

    WeirMeta(SqlNode node, Sessions sessions) {
        super(node, sessions);
        this.sessions = sessions;
    }

    @Override
    public void openConnection(ConnectionHandle ch, Map<String, String> info) {
        Errors.translate(() -> sessions.open(ch.id, Callers.current()));
    }

    private SqlSession talk(String connection) {
        return Errors.inSession(() -> sessions.talk(connection, Callers.current()));
    }

    private OpenStatement statement(StatementHandle h) throws NoSuchStatementException {
        try {
            return Errors.inSession(
                    () -> sessions.statement(h.connectionId, h.id, Callers.current()));
        } catch (NoStatementException e) {
            throw new NoSuchStatementException(h);
        }
    }

    @Override
    public void closeConnection(ConnectionHandle ch) {
        sessions.close(ch.id, Callers.current());
    }

    @Override
    public ConnectionProperties connectionSync(ConnectionHandle ch, ConnectionProperties wanted) {
        boolean readOnly =
                Errors.inSession(
                        () -> sessions.readOnly(ch.id, Callers.current(), wanted.isReadOnly()));
        return new ConnectionPropertiesImpl(
                true, readOnly, Connection.TRANSACTION_NONE, "", Streams.SCHEMA);
    }

    @Override
    public StatementHandle createStatement(ConnectionHandle ch) {
        return Errors.translate(
                () -> {
                    OpenStatement made = sessions.create(ch.id, Callers.current());
                    return new StatementHandle(ch.id, made.id(), null);
                });
    }

    @Override
    public void closeStatement(StatementHandle h) {
        sessions.closeStatement(h.connectionId, h.id, Callers.current());
    }

    @Override
    public StatementHandle prepare(ConnectionHandle ch, String sql, long maxRowCount) {
        String text = text(sql);
        return Errors.translate(
                () -> {
                    Placeholders values = Placeholders.toCome();
                    Answer answer = talk(ch.id).prepare(text, values);
                    List<AvaticaParameter> parameters = ParameterTypes.of(values.kinds());
                    StatementHandle handle = createStatement(ch);
                    Optional<Answer> whole = Optional.of(answer).filter(a -> parameters.isEmpty());
                    statement(handle).prepared(new Prepared(text, whole));
                    handle.signature = signature(text, answer, parameters);
                    return handle;
                });
    }

    @Override
    public ExecuteResult prepareAndExecute(
            StatementHandle h,
            String sql,
            long maxRowCount,
            int maxRowsInFirstFrame,
            PrepareCallback callback)
            throws NoSuchStatementException {
        OpenStatement statement = statement(h);
        String text = text(sql);
        return Errors.translate(
                () -> {
                    Answer answer = talk(h.connectionId).prepare(text);
                    statement.prepared(new Prepared(text, Optional.of(answer)));
                    return run(h, statement, text, answer, maxRowCount);
                });
    }

    /** An empty text stands for none in the protocol. */
    private static String text(String sql) {
        return sql == null ? "" : sql;
    }

    @Override
    public ExecuteResult execute(
            StatementHandle h, List<TypedValue> parameterValues, int maxRowsInFirstFrame)
            throws NoSuchStatementException {
        OpenStatement statement = statement(h);
        Prepared prepared = statement.prepared().orElseThrow(() -> new NoSuchStatementException(h));
        return Errors.translate(
                () -> {
                    Answer answer = answer(h, prepared, parameterValues);
                    return run(h, statement, prepared.sql(), answer, -1);
                });
    }

    private Answer answer(StatementHandle h, Prepared prepared, List<TypedValue> given) {
        if (prepared.answer().isPresent() && (given == null || given.isEmpty())) {
            return prepared.answer().get();
        }
        Placeholders values = Placeholders.of(ParameterValues.of(given));
        return talk(h.connectionId).prepare(prepared.sql(), values);
    }

    private ExecuteResult run(
            StatementHandle h, OpenStatement statement, String sql, Answer answer, long maxRows) {
        statement.stop();
        if (answer instanceof Answer.Change change) {
            checkMayChange(h);
            var unused = change.action().get();
            return result(MetaResultSet.count(h.connectionId, h.id, 0));
        }
        Frame first = Frame.MORE;
        if (answer instanceof Answer.Texts texts) {
            first = frame(texts.snapshot());
        } else if (answer instanceof Answer.Snapshot snapshot) {
            first = frame(snapshot);
        } else if (answer instanceof Answer.Flow flow) {
            sessions.start(statement, flow.producer().get(), maxRows);
        }
        Signature signature = signature(sql, answer, List.of());
        return result(MetaResultSet.create(h.connectionId, h.id, false, signature, first));
    }

    private void checkMayChange(StatementHandle h) {
        if (sessions.isReadOnly(h.connectionId, Callers.current())) {
            throw Errors.toAvatica(
                    "error NOT_ALLOWED: the connection is read only\n"
                            + "hint: Connection.setReadOnly(false)",
                    "25006");
        }
    }

    private static Frame frame(Answer.Snapshot snapshot) {
        return new Frame(0, true, new ArrayList<>(snapshot.rows().get()));
    }

    private static ExecuteResult result(MetaResultSet resultSet) {
        return new ExecuteResult(List.of(resultSet));
    }

    /** Returns the form of the rows; a change of the catalogue has none. */
    private static Signature signature(
            String sql, Answer answer, List<AvaticaParameter> parameters) {
        List<ColumnMetaData> columns = List.of();
        StatementType type = StatementType.SELECT;
        if (answer instanceof Answer.Flow flow) {
            columns = ColumnTypes.columns(flow.columns());
        } else if (answer instanceof Answer.Texts texts) {
            columns = ColumnTypes.snapshot(texts.snapshot().columns());
        } else if (answer instanceof Answer.Snapshot snapshot) {
            columns = ColumnTypes.snapshot(snapshot.columns());
        } else {
            type = StatementType.OTHER_DDL;
        }
        return new Signature(columns, sql, parameters, Map.of(), CursorFactory.ARRAY, type);
    }

    @Override
    public Frame fetch(StatementHandle h, long offset, int fetchMaxRowCount)
            throws NoSuchStatementException {
        Execution execution =
                statement(h).execution().orElseThrow(() -> new NoSuchStatementException(h));
        if (offset == FetchedRows.NO_MORE) {
            execution.close();
            return new Frame(offset, true, List.of());
        }
        int limit =
                fetchMaxRowCount < 0 ? MAX_FRAME_ROWS : Math.min(fetchMaxRowCount, MAX_FRAME_ROWS);
        long waitNs = Math.min(FETCH_WAIT_NS, Callers.waitNs());
        return Errors.translate(
                () -> {
                    Execution.Fetched rows = execution.fetch(offset, limit, waitNs);
                    return new Frame(rows.offset(), rows.done(), rows.rows());
                });
    }

    /** Nothing can be read again: a stream that passed is gone. */
    @Override
    public boolean syncResults(StatementHandle sh, QueryState state, long offset)
            throws NoSuchStatementException {
        statement(sh); // its client is alive
        return false;
    }

    @Override
    public void commit(ConnectionHandle ch) {
        touch(ch);
    }

    @Override
    public void rollback(ConnectionHandle ch) {
        throw Errors.toAvatica(
                new WeirException(
                        ErrorCode.NOT_SUPPORTED, "there are no transactions to roll back"));
    }

    /** Runs the changes of a batch. None of them has rows to count. */
    @Override
    public ExecuteBatchResult prepareAndExecuteBatch(StatementHandle h, List<String> commands)
            throws NoSuchStatementException {
        OpenStatement statement = statement(h);
        return Errors.translate(
                () -> {
                    for (String sql : commands) {
                        String text = text(sql);
                        Answer answer = talk(h.connectionId).prepare(text);
                        runInBatch(h, statement, text, answer);
                    }
                    return new ExecuteBatchResult(new long[commands.size()]);
                });
    }

    @Override
    public ExecuteBatchResult executeBatch(
            StatementHandle h, List<List<TypedValue>> parameterValues) {
        throw Errors.toAvatica(
                new WeirException(
                        ErrorCode.NOT_SUPPORTED,
                        "a batch of values is not supported",
                        "a statement with parameters has rows: execute it for each"));
    }

    private void runInBatch(StatementHandle h, OpenStatement statement, String sql, Answer answer) {
        if (!(answer instanceof Answer.Change)) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "a statement of a batch has rows",
                    "a batch takes CREATE and DROP; execute gives rows");
        }
        run(h, statement, sql, answer, -1);
    }

    @Override
    @Deprecated
    public ExecuteResult prepareAndExecute(
            StatementHandle h, String sql, long maxRowCount, PrepareCallback callback)
            throws NoSuchStatementException {
        return prepareAndExecute(h, sql, maxRowCount, MAX_FRAME_ROWS, callback);
    }

    @Override
    @Deprecated
    public ExecuteResult execute(
            StatementHandle h, List<TypedValue> parameterValues, long maxRowCount)
            throws NoSuchStatementException {
        return execute(h, parameterValues, MAX_FRAME_ROWS);
    }
}
