package io.weir.cluster.format;

import com.google.protobuf.Descriptors.Descriptor;
import io.weir.cluster.sink.RowDecoder;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.io.IOException;
import org.apache.avro.Schema;

/** Reads values of records back to rows of a query, in any form. One thread. */
public final class RowReader {
    private final Query query;
    private final RowDecoder json = new RowDecoder();
    private final Schema avro;
    private final Descriptor protobuf;

    public RowReader(Query query) {
        this.query = query;
        this.avro = AvroRows.schema(query);
        this.protobuf = new ProtobufSchema(query).descriptor();
    }

    /**
     * Writes a row.
     *
     * @param framed whether the number of a schema stands before it
     * @throws IllegalArgumentException when this is no row of this query
     */
    public void read(RowFormat format, boolean framed, byte[] value, RowBatch batch, int row) {
        if (format == RowFormat.JSON) {
            json.read(value, batch, row);
            return;
        }
        byte[] bare = framed ? Framing.bare(format, value) : value;
        try {
            Object[] cells =
                    format == RowFormat.AVRO
                            ? AvroRows.decode(avro, bare)
                            : ProtobufRows.decode(protobuf, query.columns(), bare);
            RowWriter.write(cells, batch, row);
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("no row of this query: " + e.getMessage(), e);
        }
    }
}
