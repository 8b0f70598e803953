package io.weir.sql.sys;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Type;
import io.weir.operators.time.Deadline;
import io.weir.sql.error.SqlSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractSchema;

/** Runs one statement in Calcite, which gets only the tables that it names. */
final class SysRun {
    private final SqlSource source;
    private final SysPlaces places;
    private final String sql;
    private final Map<String, SysContents> contents;
    private final Deadline deadline;
    private final int mostRows;

    /**
     * @param deadline when it gives up
     */
    SysRun(
            SqlSource source,
            SysPlaces places,
            String sql,
            Map<String, SysContents> contents,
            Deadline deadline) {
        this.source = source;
        this.places = places;
        this.sql = sql;
        this.contents = contents;
        this.deadline = deadline;
        mostRows =
                contents.values().stream()
                        .mapToInt(table -> table.rows().size())
                        .reduce(SysSelect.MOST_ROWS, Math::max);
    }

    private interface Work<T> {
        T with(PreparedStatement statement) throws SQLException;
    }

    List<Variable> columns() {
        return prepared(statement -> columns(statement.getMetaData()));
    }

    List<Object[]> rows() {
        return prepared(
                statement -> {
                    List<Variable> columns = columns(statement.getMetaData());
                    List<Object[]> rows = new ArrayList<>();
                    try (ResultSet result = statement.executeQuery()) {
                        while (result.next()) {
                            check();
                            checkRoom(rows.size());
                            rows.add(row(result, columns));
                        }
                    }
                    return rows;
                });
    }

    private <T> T prepared(Work<T> work) {
        try (Connection connection = new Driver().connect("jdbc:calcite:", settings())) {
            SchemaPlus root = connection.unwrap(CalciteConnection.class).getRootSchema();
            SchemaPlus sys = root.add(SysNames.SCHEMA, new AbstractSchema());
            contents.forEach(
                    (table, now) ->
                            sys.add(table, new SysTable(now.columns(), now.rows(), this::check)));
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                return work.with(statement);
            }
        } catch (SQLException | RuntimeException e) {
            throw SysError.of(source, places.statement(), e);
        } catch (StackOverflowError | AssertionError | LinkageError e) {
            // Calcite's generated code computes constants when its class is loaded.
            throw SysError.of(source, places.statement(), e);
        }
    }

    private static Properties settings() {
        Properties settings = new Properties();
        settings.setProperty("unquotedCasing", "TO_LOWER");
        settings.setProperty("quotedCasing", "UNCHANGED");
        settings.setProperty("caseSensitive", "true");
        settings.setProperty("conformance", "LENIENT");
        settings.setProperty("parserFactory", "io.weir.sql.grammar.WeirSqlParser#FACTORY");
        settings.setProperty("timeZone", "UTC");
        settings.setProperty("typeSystem", SysTypes.class.getName());
        return settings;
    }

    private void check() {
        if (deadline.isOver()) {
            throw source.error(
                    ErrorCode.INVALID_QUERY,
                    places.statement(),
                    "the SELECT from sys took over " + SysSelect.MOST_SECONDS + " s",
                    "ask for fewer rows");
        }
    }

    private void checkRoom(int rows) {
        if (rows == mostRows) {
            throw source.error(
                    ErrorCode.INVALID_QUERY,
                    places.statement(),
                    "the SELECT from sys has over " + mostRows + " rows",
                    "LIMIT, or a condition, makes them fewer");
        }
    }

    private List<Variable> columns(ResultSetMetaData meta) throws SQLException {
        List<Variable> columns = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            Type type = type(meta, i);
            boolean nullable = meta.isNullable(i) != ResultSetMetaData.columnNoNulls;
            columns.add(Variable.column(meta.getColumnLabel(i), nullable ? type.orNull() : type));
        }
        return columns;
    }

    private Type type(ResultSetMetaData meta, int column) throws SQLException {
        return switch (meta.getColumnType(column)) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> Type.BIGINT;
            case Types.DECIMAL, Types.REAL, Types.FLOAT, Types.DOUBLE -> Type.DOUBLE;
            case Types.BOOLEAN -> Type.BOOLEAN;
            case Types.CHAR, Types.VARCHAR, Types.NULL -> Type.VARCHAR;
            case Types.DATE, Types.TIME, Types.TIMESTAMP -> Type.VARCHAR;
            default -> throw notSupported(meta, column);
        };
    }

    private WeirException notSupported(ResultSetMetaData meta, int column) throws SQLException {
        String name = meta.getColumnTypeName(column);
        String what =
                name.startsWith("INTERVAL")
                        ? "an interval"
                        : name.contains("BINARY") ? "bytes" : "several values";
        return source.error(
                ErrorCode.NOT_SUPPORTED,
                places.column(column - 1),
                "a column that is "
                        + what
                        + " is not supported in a SELECT from sys, or without FROM",
                "numbers, texts, TRUE and FALSE are");
    }

    private static Object[] row(ResultSet result, List<Variable> columns) throws SQLException {
        Object[] row = new Object[columns.size()];
        for (int i = 0; i < row.length; i++) {
            Object value =
                    switch (columns.get(i).type().kind()) {
                        case BIGINT -> result.getLong(i + 1);
                        case DOUBLE -> result.getDouble(i + 1);
                        case BOOLEAN -> result.getBoolean(i + 1);
                        default -> result.getString(i + 1);
                    };
            row[i] = result.wasNull() ? null : value;
        }
        return row;
    }
}
