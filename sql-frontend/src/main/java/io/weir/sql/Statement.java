package io.weir.sql;

import io.weir.operators.graph.Query;
import io.weir.sql.sys.SysSelect;
import java.util.Map;

/** A statement, validated and planned against the catalogue as it was; not executed. */
public sealed interface Statement {
    /** A query to run now, without a place in the catalogue; its name is made up. */
    record Select(Query query) implements Statement {}

    /**
     * A snapshot of what SHOW lists.
     *
     * @param shown by the name of the table, the statement whose answer it is
     */
    record SelectSys(SysSelect select, Map<String, Statement> shown) implements Statement {
        public SelectSys {
            shown = Map.copyOf(shown);
        }
    }

    /**
     * @param orReplace whether a query of that name gives way; without it there is none
     */
    record CreateQuery(Query query, boolean orReplace) implements Statement {}

    /**
     * @param exists false only with IF EXISTS: then there is nothing to do
     */
    record DropQuery(String name, boolean exists) implements Statement {}

    record ShowQueries() implements Statement {}

    record ShowStreams() implements Statement {}

    record ShowFunctions() implements Statement {}

    /** The account of what ran last, where the statement is given. */
    record ShowAccount() implements Statement {}

    /** What happened besides rows in what ran last. */
    record ShowEvents() implements Statement {}

    /** The workers of a cluster, and how they are. */
    record ShowWorkers() implements Statement {}

    /** Who asked what of late, where that is noted. */
    record ShowAudit() implements Statement {}

    /** Of a stream or query that exists. */
    record Describe(String name) implements Statement {}

    /**
     * Of a table of sys.
     *
     * @param shown the statement whose answer it is
     */
    record DescribeSys(Statement shown) implements Statement {}

    /**
     * @param kernel whether the generated code is wanted rather than the plan
     */
    record Explain(Query query, boolean kernel) implements Statement {}

    /** To the rows of a query that exists. */
    record Subscribe(String name) implements Statement {}
}
