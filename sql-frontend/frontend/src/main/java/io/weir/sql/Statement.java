package io.weir.sql;

import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.sys.SysSelect;
import java.util.Map;

/** A statement, validated and planned against the catalogue at that moment, not executed. */
public sealed interface Statement {
    /** A query to run now, without a place in the catalogue; its name is made up. */
    record Select(Query query) implements Statement {}

    /**
     * A snapshot of SHOW's listings.
     *
     * @param shown the statement whose answer a table is, by the name of the table
     */
    record SelectSys(SysSelect select, Map<String, Statement> shown) implements Statement {
        public SelectSys {
            shown = Map.copyOf(shown);
        }
    }

    /**
     * @param orReplace whether it replaces a query of that name; without it there is none
     */
    record CreateQuery(Query query, boolean orReplace) implements Statement {}

    /**
     * @param exists false only with IF EXISTS: then there is nothing to do
     */
    record DropQuery(String name, boolean exists) implements Statement {}

    /** A query stops to count, and keeps its place in the catalogue. */
    record PauseQuery(String name) implements Statement {}

    /** A paused query counts again. */
    record ResumeQuery(String name) implements Statement {}

    /**
     * A live source of packets.
     *
     * @param settings the values of WITH by name: a uri at least
     */
    record CreateSource(String name, Map<String, String> settings) implements Statement {
        public CreateSource {
            settings = Map.copyOf(settings);
        }
    }

    record DropSource(String name, boolean ifExists) implements Statement {}

    /**
     * @param orReplace whether it replaces an aggregate of that name; without it there is none
     */
    record CreateAggregate(DefinedAggregate aggregate, boolean orReplace) implements Statement {}

    /**
     * A lookup table.
     *
     * @param table the one that later statements of the text use. It is there already if a table
     *     with the same columns is replaced; otherwise it has no content yet
     * @param sql the statement
     */
    record CreateTable(TableSpec spec, LookupTable table, String sql, boolean orReplace)
            implements Statement {}

    /**
     * @param exists false only with IF EXISTS: then there is nothing to do
     */
    record DropAggregate(String name, boolean exists) implements Statement {}

    /**
     * @param exists false only with IF EXISTS: then there is nothing to do
     */
    record DropTable(String name, boolean exists) implements Statement {}

    record ShowQueries() implements Statement {}

    record ShowStreams() implements Statement {}

    record ShowFunctions() implements Statement {}

    record ShowAggregates() implements Statement {}

    /** The account of the last run at this client. */
    record ShowAccount() implements Statement {}

    /** The events, besides rows, of the last run. */
    record ShowEvents() implements Statement {}

    /** The live sources of a node, and their states. */
    record ShowSources() implements Statement {}

    /** The bindings of queries with WHEN that count now. */
    record ShowBindings() implements Statement {}

    /** The lookup tables, and what they hold. */
    record ShowTables() implements Statement {}

    /** The workers of a cluster, and their states. */
    record ShowWorkers() implements Statement {}

    /** The latest statements of users, if they are recorded. */
    record ShowAudit() implements Statement {}

    /** The work of each query of late. */
    record ShowQueryCost() implements Statement {}

    /** The packets that were lost or left out, by reason, with the remedy. */
    record ShowLoss() implements Statement {}

    /** The description of an existing stream or query. */
    record Describe(String name) implements Statement {}

    /**
     * The description of a table of sys.
     *
     * @param shown the statement whose answer it is
     */
    record DescribeSys(Statement shown) implements Statement {}

    /**
     * @param kernel whether it shows the generated code rather than the plan
     */
    record Explain(Query query, boolean kernel) implements Statement {}

    /**
     * A query over a capture, whose rows must be those of a file.
     *
     * @param capture a file, as is {@code rows}, which is CSV
     */
    record TestQuery(Query query, String capture, String rows) implements Statement {}

    /**
     * The plan of a query, and its cost.
     *
     * @param created whether the catalogue has it; otherwise it runs for this statement alone
     */
    record Analyze(Query query, boolean created) implements Statement {}

    /** A subscription to the rows of an existing query. */
    record Subscribe(String name) implements Statement {}
}
