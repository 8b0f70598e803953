package io.weir.cluster.format;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.TimestampProto;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import java.util.List;

/**
 * A message for a query's rows. Fields are numbered by column from 1, {@code optional} if a column
 * can be NULL. Times and intervals are Google's Timestamp and Duration, addresses text.
 */
final class ProtobufSchema {
    private static final String PACKAGE = "weir.rows";
    private static final String TIMESTAMP = "google.protobuf.Timestamp";
    private static final String DURATION = "google.protobuf.Duration";

    private final Query query;
    private final String message;
    private final List<String> names;

    ProtobufSchema(Query query) {
        String plain = FieldNames.plain(query.name());
        this.query = query;
        // In a message of that name, protoc would look for google.protobuf inside the message.
        this.message = plain.equals("google") ? "google_" : plain;
        this.names = FieldNames.of(query.columns());
    }

    /** Returns the .proto file. */
    String text() {
        StringBuilder text = new StringBuilder("syntax = \"proto3\";\npackage " + PACKAGE + ";\n");
        text.append("import \"google/protobuf/timestamp.proto\";\n");
        text.append("import \"google/protobuf/duration.proto\";\n\n");
        text.append("message ").append(message).append(" {\n");
        for (int c = 0; c < names.size(); c++) {
            Variable column = query.columns().get(c);
            text.append(column.type().nullable() ? "  optional " : "  ");
            text.append(type(column.type().kind())).append(' ').append(names.get(c));
            text.append(" = ").append(c + 1).append(";\n");
        }
        return text.append("}\n").toString();
    }

    private static String type(Kind kind) {
        return switch (kind) {
            case BOOLEAN -> "bool";
            case BIGINT -> "sint64";
            case DOUBLE -> "double";
            case TIMESTAMP -> TIMESTAMP;
            case INTERVAL -> DURATION;
            case INET, MACADDR, VARCHAR -> "string";
        };
    }

    private FileDescriptorProto file() {
        DescriptorProto.Builder type = DescriptorProto.newBuilder().setName(message);
        for (int c = 0; c < names.size(); c++) {
            Variable column = query.columns().get(c);
            FieldDescriptorProto.Builder field =
                    typed(column.type().kind())
                            .setName(names.get(c))
                            .setNumber(c + 1)
                            .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
            if (column.type().nullable()) { // as protoc writes proto3's optional
                field.setProto3Optional(true).setOneofIndex(type.getOneofDeclCount());
                type.addOneofDecl(OneofDescriptorProto.newBuilder().setName("_" + names.get(c)));
            }
            type.addField(field);
        }
        return FileDescriptorProto.newBuilder()
                .setName(message + ".proto")
                .setPackage(PACKAGE)
                .setSyntax("proto3")
                .addDependency(TimestampProto.getDescriptor().getName())
                .addDependency(DurationProto.getDescriptor().getName())
                .addMessageType(type)
                .build();
    }

    private static FieldDescriptorProto.Builder typed(Kind kind) {
        FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder();
        return switch (kind) {
            case BOOLEAN -> field.setType(FieldDescriptorProto.Type.TYPE_BOOL);
            case BIGINT -> field.setType(FieldDescriptorProto.Type.TYPE_SINT64);
            case DOUBLE -> field.setType(FieldDescriptorProto.Type.TYPE_DOUBLE);
            case TIMESTAMP, INTERVAL ->
                    field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
                            .setTypeName("." + type(kind));
            case INET, MACADDR, VARCHAR -> field.setType(FieldDescriptorProto.Type.TYPE_STRING);
        };
    }

    /** Returns all files that a reader without protoc needs. */
    FileDescriptorSet files() {
        return FileDescriptorSet.newBuilder()
                .addFile(TimestampProto.getDescriptor().toProto())
                .addFile(DurationProto.getDescriptor().toProto())
                .addFile(file())
                .build();
    }

    Descriptor descriptor() {
        FileDescriptor[] known = {TimestampProto.getDescriptor(), DurationProto.getDescriptor()};
        try {
            return FileDescriptor.buildFrom(file(), known).findMessageTypeByName(message);
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e); // names are plain and differ
        }
    }
}
