package io.weir.sql.catalog;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;

/**
 * The existing queries and aggregates by name. A statement may refer to them and to the streams.
 * Sub-queries are found by their names too, but no statement may name them.
 */
public interface Catalog {
    Optional<Query> find(String name);

    /** Returns the names of all queries, without their sub-queries, in a stable order. */
    List<String> names();

    /** Returns the aggregates that users have created, in a stable order. */
    List<DefinedAggregate> aggregates();

    /** Finds an aggregate by its name in small letters. */
    default Optional<DefinedAggregate> aggregate(String name) {
        return aggregates().stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /** Returns the lookup table of a name. */
    default Optional<LookupTable> table(String name) {
        return Optional.empty();
    }

    /** Returns the names of all lookup tables, in a stable order. */
    default List<String> tableNames() {
        return List.of();
    }

    /**
     * Returns a table with the columns that the statement or the file tells. It has no content.
     *
     * @throws WeirException UNREADABLE_INPUT, INVALID_OPTION, NOT_SUPPORTED
     */
    default LookupTable newTable(TableSpec spec) {
        throw new WeirException(
                ErrorCode.NOT_SUPPORTED,
                "there are no lookup tables here",
                "weir run, weir sql and weir server over packets have them");
    }
}
