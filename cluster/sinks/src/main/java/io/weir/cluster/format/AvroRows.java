package io.weir.cluster.format;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.MacText;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/**
 * Writes rows as Avro records: times are {@code timestamp-nanos}, intervals nanoseconds, addresses
 * text. A column that can be NULL is a union with null. One thread.
 */
final class AvroRows implements RowEncoder {
    private static final String NAMESPACE = "io.weir.rows";

    private final Schema schema;
    private final List<Variable> columns;
    private final OptionalInt schemaId;
    private final GenericDatumWriter<GenericRecord> writer;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private BinaryEncoder encoder;

    AvroRows(Query query, OptionalInt schemaId) {
        this.schema = schema(query);
        this.columns = query.columns();
        this.schemaId = schemaId;
        this.writer = new GenericDatumWriter<>(schema);
    }

    static Schema schema(Query query) {
        List<String> names = FieldNames.of(query.columns());
        List<Schema.Field> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Variable column = query.columns().get(i);
            Schema type = type(column.type().kind());
            fields.add(
                    column.type().nullable()
                            ? new Schema.Field(
                                    names.get(i),
                                    Schema.createUnion(Schema.create(Schema.Type.NULL), type),
                                    column.name(),
                                    Schema.Field.NULL_DEFAULT_VALUE)
                            : new Schema.Field(names.get(i), type, column.name(), null));
        }
        return Schema.createRecord(
                FieldNames.plain(query.name()), query.name(), NAMESPACE, false, fields);
    }

    private static Schema type(Kind kind) {
        return switch (kind) {
            case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
            case BIGINT -> Schema.create(Schema.Type.LONG);
            case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
            case TIMESTAMP ->
                    LogicalTypes.timestampNanos().addToSchema(Schema.create(Schema.Type.LONG));
            case INTERVAL -> said(Schema.create(Schema.Type.LONG), "interval-nanos");
            case INET -> said(Schema.create(Schema.Type.STRING), "inet");
            case MACADDR -> said(Schema.create(Schema.Type.STRING), "macaddr");
            case VARCHAR -> Schema.create(Schema.Type.STRING);
        };
    }

    /** Adds Weir's type for people, because Avro does not have it. */
    private static Schema said(Schema schema, String type) {
        schema.addProp("weir.type", type);
        return schema;
    }

    @Override
    public byte[] encode(RowBatch batch, int row) {
        GenericRecord value = new GenericData.Record(schema);
        for (int c = 0; c < columns.size(); c++) {
            value.put(c, cell(batch.value(row, c), columns.get(c).type().kind()));
        }
        bytes.reset();
        encoder = EncoderFactory.get().binaryEncoder(bytes, encoder);
        try {
            writer.write(value, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // in memory
        }
        return Framing.framed(RowFormat.AVRO, schemaId, bytes.toByteArray());
    }

    private static Object cell(Object value, Kind kind) {
        if (value instanceof Inet inet) {
            return InetText.format(inet.family(), inet.high(), inet.low());
        }
        return value != null && kind == Kind.MACADDR ? MacText.format((Long) value) : value;
    }

    /** Returns columns' values as {@link RowWriter} takes them. */
    static Object[] decode(Schema schema, byte[] value) throws IOException {
        GenericRecord record =
                new GenericDatumReader<GenericRecord>(schema)
                        .read(null, DecoderFactory.get().binaryDecoder(value, null));
        Object[] cells = new Object[schema.getFields().size()];
        for (int c = 0; c < cells.length; c++) {
            Object cell = record.get(c);
            cells[c] = cell instanceof CharSequence text ? text.toString() : cell;
        }
        return cells;
    }

    @Override
    public RowFormat format() {
        return RowFormat.AVRO;
    }

    @Override
    public OptionalInt schemaId() {
        return schemaId;
    }
}
