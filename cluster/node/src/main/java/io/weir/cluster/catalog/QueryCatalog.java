package io.weir.cluster.catalog;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import java.util.List;
import java.util.OptionalLong;

/**
 * The queries that users have created, by name. In one process a map; in a cluster a compacted
 * topic that every node reads. Thread-safe.
 */
public interface QueryCatalog extends Catalog {
    /** All queries, each after those that it reads or waits for. */
    List<Query> all();

    /**
     * Adds a query.
     *
     * @param orReplace whether it replaces one of the same name
     * @return its version, if the catalogue counts versions and knows it
     * @throws io.weir.operators.error.WeirException DUPLICATE_QUERY, TOO_MANY_QUERIES, or
     *     INVALID_QUERY when a query that reads the replaced one could not go on
     */
    OptionalLong create(Query query, boolean orReplace);

    /**
     * Removes a query.
     *
     * @param ifExists whether a missing query is no error
     * @throws io.weir.operators.error.WeirException UNKNOWN_QUERY, or INVALID_QUERY when another
     *     query reads it or waits for it
     */
    void drop(String name, boolean ifExists);

    /** Returns whether a query, or a sub-query of it, has its place only and counts nothing. */
    boolean isPaused(String name);

    /**
     * Pauses a query, or lets it count again. A replacement counts.
     *
     * @throws io.weir.operators.error.WeirException UNKNOWN_QUERY
     */
    void pause(String name, boolean paused);

    /**
     * Adds an aggregate. Queries that call one of its name go on with the one that they know.
     *
     * @param orReplace whether it replaces one of the same name
     * @throws io.weir.operators.error.WeirException INVALID_QUERY when there is one of the name, or
     *     too many
     */
    void create(DefinedAggregate aggregate, boolean orReplace);

    /**
     * Removes an aggregate.
     *
     * @param ifExists whether a missing one is no error
     * @throws io.weir.operators.error.WeirException UNKNOWN_FUNCTION
     */
    void dropAggregate(String name, boolean ifExists);
}
