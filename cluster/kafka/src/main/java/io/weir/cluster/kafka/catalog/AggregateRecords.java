package io.weir.cluster.kafka.catalog;

import io.weir.cluster.wire.CatalogRecord;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.MapCatalog;
import java.util.List;

/** The records of users' aggregates in the catalogue. Stateless. */
final class AggregateRecords {
    private static final String KEY = "\u0000aggregate ";

    private AggregateRecords() {}

    /** Returns the key of an aggregate's record. No query has such a name. */
    static String key(String name) {
        return KEY + name;
    }

    static CatalogRecord.Builder of(DefinedAggregate aggregate) {
        return CatalogRecord.newBuilder()
                .setSql(aggregate.sql())
                .setAggregate(
                        io.weir.cluster.wire.DefinedAggregate.newBuilder()
                                .setName(aggregate.name()));
    }

    static DefinedAggregate of(String key, CatalogRecord record) {
        List<Statement> statements = new SqlFrontend(new MapCatalog()).parse(record.getSql());
        if (statements.size() == 1
                && statements.get(0) instanceof Statement.CreateAggregate create
                && key.equals(key(create.aggregate().name()))) {
            return create.aggregate();
        }
        throw new IllegalArgumentException("it is no CREATE AGGREGATE of its name");
    }

    /** Fails if an aggregate cannot be created. */
    static void checkCreate(String name, boolean orReplace, CatalogState state) {
        if (!orReplace && state.aggregate(name).isPresent()) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    "there is an aggregate " + name + " already",
                    "CREATE OR REPLACE AGGREGATE puts another in its place");
        }
    }

    /** Returns whether there is an aggregate to drop. */
    static boolean checkDrop(String name, boolean ifExists, CatalogState state) {
        boolean is = state.aggregate(name).isPresent();
        if (!is && !ifExists) {
            throw new WeirException(
                    ErrorCode.UNKNOWN_FUNCTION,
                    "there is no aggregate " + name,
                    "SHOW AGGREGATES lists them");
        }
        return is;
    }
}
