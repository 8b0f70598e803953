package io.weir.sql.grammar;

import java.util.List;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** One statement from the grammar: shapes and positions, without resolved names or types. */
public sealed interface ParsedStatement {

    /**
     * @param query SELECT, ORDER BY or a set operation
     * @param emit null without EMIT
     * @param when null without WHEN
     * @param until null without UNTIL
     * @param interval the interval after FOR, or null
     * @param settings of WITH (…); none without
     */
    record Query(
            SqlNode query,
            Emit emit,
            SqlNode when,
            SqlNode until,
            SqlNode interval,
            List<Setting> settings)
            implements ParsedStatement {
        public Query {
            settings = List.copyOf(settings);
        }
    }

    /** The forms of EMIT. */
    enum Emitted {
        EMPTY,
        ON_WINDOW_CLOSE,
        EVERY
    }

    /**
     * @param at where EMIT stands
     * @param value the number of windows of EMPTY, or null; the interval of EVERY
     */
    record Emit(SqlIdentifier at, Emitted emitted, SqlNode value) {}

    /** One setting of WITH (…). */
    record Setting(SqlIdentifier name, SqlNode value) {}

    record Create(SqlIdentifier name, boolean orReplace, Query query) implements ParsedStatement {}

    record Drop(SqlIdentifier name, boolean ifExists) implements ParsedStatement {}

    /**
     * @param settings of WITH (…), at least one
     */
    record CreateSource(SqlIdentifier name, List<Setting> settings) implements ParsedStatement {
        public CreateSource {
            settings = List.copyOf(settings);
        }
    }

    record DropSource(SqlIdentifier name, boolean ifExists) implements ParsedStatement {}

    /** name type */
    record Typed(SqlIdentifier name, SqlNode type) {}

    /** A word of an aggregate's state, and its first value. */
    record Word(SqlIdentifier name, SqlNode type, SqlNode first) {}

    /** name = value */
    record Assigned(SqlIdentifier name, SqlNode value) {}

    /**
     * @param state at least one word
     * @param update at least one assignment
     * @param merge none without MERGE
     */
    record CreateAggregate(
            SqlIdentifier name,
            boolean orReplace,
            List<Typed> arguments,
            List<Word> state,
            List<Assigned> update,
            SqlNode result,
            List<Assigned> merge)
            implements ParsedStatement {
        public CreateAggregate {
            arguments = List.copyOf(arguments);
            state = List.copyOf(state);
            update = List.copyOf(update);
            merge = List.copyOf(merge);
        }
    }

    record DropAggregate(SqlIdentifier name, boolean ifExists) implements ParsedStatement {}

    /**
     * @param columns as declared; none if the file's are taken
     */
    record CreateTable(
            SqlIdentifier name, boolean orReplace, List<Column> columns, List<Setting> settings)
            implements ParsedStatement {
        public CreateTable {
            columns = List.copyOf(columns);
            settings = List.copyOf(settings);
        }
    }

    /**
     * A column of a lookup table.
     *
     * @param path a text after PATH, or null
     */
    record Column(SqlIdentifier name, SqlDataTypeSpec type, SqlNode path) {}

    record DropTable(SqlIdentifier name, boolean ifExists) implements ParsedStatement {}

    /** The listings of SHOW. */
    enum Listed {
        QUERIES,
        STREAMS,
        FUNCTIONS,
        AGGREGATES,
        ACCOUNT,
        EVENTS,
        SOURCES,
        BINDINGS,
        TABLES,
        WORKERS,
        AUDIT,
        QUERY_COST,
        LOSS
    }

    record Show(Listed listed) implements ParsedStatement {}

    /** DESCRIBE name, SHOW COLUMNS FROM name. */
    record Describe(SqlIdentifier name) implements ParsedStatement {}

    /**
     * @param statement a Query or a Create, which is then not executed
     */
    record Explain(ParsedStatement statement, boolean kernel) implements ParsedStatement {}

    record ExplainName(SqlIdentifier name, boolean kernel) implements ParsedStatement {}

    /**
     * A query over a capture, whose rows must be those of a file.
     *
     * @param name of a query that is there; null if {@code query} has one
     * @param capture a string, as is {@code rows}
     */
    record Test(SqlIdentifier name, Query query, SqlNode capture, SqlNode rows)
            implements ParsedStatement {}

    /**
     * EXPLAIN ANALYZE.
     *
     * @param name of a query that is there; null if {@code query} has one
     */
    record Analyze(SqlIdentifier name, Query query) implements ParsedStatement {}

    /** PAUSE QUERY, or RESUME QUERY. */
    record Pause(SqlIdentifier name, boolean resumes) implements ParsedStatement {}

    record Subscribe(SqlIdentifier name) implements ParsedStatement {}
}
