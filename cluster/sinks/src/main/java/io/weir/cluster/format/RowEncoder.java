package io.weir.cluster.format;

import io.weir.operators.rows.RowBatch;
import java.util.OptionalInt;

/** Writes rows of one query as values of records. One thread. */
public interface RowEncoder {
    byte[] encode(RowBatch batch, int row);

    RowFormat format();

    /** Returns the schema's number at the registry, with which the value then begins. */
    OptionalInt schemaId();
}
