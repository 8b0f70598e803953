package io.weir.sql.catalog;

import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;

/** A catalogue over another one, which answers all that this one does not answer itself. */
public interface ForwardingCatalog extends Catalog {
    /** Returns the catalogue below, as it is now. */
    Catalog base();

    @Override
    default Optional<Query> find(String name) {
        return base().find(name);
    }

    @Override
    default List<String> names() {
        return base().names();
    }

    @Override
    default List<DefinedAggregate> aggregates() {
        return base().aggregates();
    }

    @Override
    default Optional<DefinedAggregate> aggregate(String name) {
        return base().aggregate(name);
    }

    @Override
    default Optional<LookupTable> table(String name) {
        return base().table(name);
    }

    @Override
    default List<String> tableNames() {
        return base().tableNames();
    }

    @Override
    default LookupTable newTable(TableSpec spec) {
        return base().newTable(spec);
    }
}
