package io.weir.cluster.format;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.MacText;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.OptionalInt;

/** Writes rows as messages of {@link ProtobufSchema}. One thread. */
final class ProtobufRows implements RowEncoder {
    private static final long SECOND_NS = 1_000_000_000L;

    private final Descriptor descriptor;
    private final List<Variable> columns;
    private final OptionalInt schemaId;

    ProtobufRows(Query query, OptionalInt schemaId) {
        this.descriptor = new ProtobufSchema(query).descriptor();
        this.columns = query.columns();
        this.schemaId = schemaId;
    }

    @Override
    public byte[] encode(RowBatch batch, int row) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(descriptor);
        for (int c = 0; c < columns.size(); c++) {
            Object value = batch.value(row, c);
            if (value != null) {
                message.setField(
                        descriptor.findFieldByNumber(c + 1),
                        cell(value, columns.get(c).type().kind()));
            }
        }
        return Framing.framed(RowFormat.PROTOBUF, schemaId, message.build().toByteArray());
    }

    private static Object cell(Object value, Kind kind) {
        return switch (kind) {
            case BOOLEAN, BIGINT, DOUBLE, VARCHAR -> value;
            case INET -> {
                Inet inet = (Inet) value;
                yield InetText.format(inet.family(), inet.high(), inet.low());
            }
            case MACADDR -> MacText.format((Long) value);
            case TIMESTAMP ->
                    Timestamp.newBuilder()
                            .setSeconds(Math.floorDiv((Long) value, SECOND_NS))
                            .setNanos((int) Math.floorMod((Long) value, SECOND_NS))
                            .build();
            // A Duration's parts have the same sign.
            case INTERVAL ->
                    Duration.newBuilder()
                            .setSeconds((Long) value / SECOND_NS)
                            .setNanos((int) ((Long) value % SECOND_NS))
                            .build();
        };
    }

    /** Returns columns' values as {@link RowWriter} takes them. */
    static Object[] decode(Descriptor descriptor, List<Variable> columns, byte[] value)
            throws InvalidProtocolBufferException {
        DynamicMessage message = DynamicMessage.parseFrom(descriptor, value);
        Object[] cells = new Object[columns.size()];
        for (int c = 0; c < cells.length; c++) {
            FieldDescriptor field = descriptor.findFieldByNumber(c + 1);
            boolean absent = field.hasPresence() && !message.hasField(field);
            cells[c] = absent ? null : read(message.getField(field));
        }
        return cells;
    }

    private static Object read(Object value) {
        if (!(value instanceof Message time)) {
            return value;
        }
        Descriptor type = time.getDescriptorForType();
        long seconds = (Long) time.getField(type.findFieldByName("seconds"));
        int nanos = (Integer) time.getField(type.findFieldByName("nanos"));
        return Math.addExact(Math.multiplyExact(seconds, SECOND_NS), nanos);
    }

    @Override
    public RowFormat format() {
        return RowFormat.PROTOBUF;
    }

    @Override
    public OptionalInt schemaId() {
        return schemaId;
    }
}
