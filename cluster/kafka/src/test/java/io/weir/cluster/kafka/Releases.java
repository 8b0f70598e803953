package io.weir.cluster.kafka;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Records as other releases write them. */
public final class Releases {
    /** A format that nobody knows. */
    public static final int OTHER_FORMAT = 7;

    private Releases() {}

    /** As a later release may write it in the same format: with fields that nobody knows yet. */
    public static Message later(Message record, Random random) {
        Message.Builder later = record.toBuilder();
        for (Map.Entry<FieldDescriptor, Object> field : record.getAllFields().entrySet()) {
            FieldDescriptor of = field.getKey();
            if (of.isMapField() || of.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
                continue;
            }
            Object value =
                    of.isRepeated()
                            ? ((List<?>) field.getValue())
                                    .stream().map(one -> later((Message) one, random)).toList()
                            : later((Message) field.getValue(), random);
            later.setField(of, value);
        }
        UnknownFieldSet.Builder unknown = UnknownFieldSet.newBuilder();
        for (int f = 0; f < 1 + random.nextInt(3); f++) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            unknown.mergeField(
                    100 + random.nextInt(1_000),
                    UnknownFieldSet.Field.newBuilder()
                            .addVarint(random.nextLong())
                            .addLengthDelimited(ByteString.copyFrom(bytes))
                            .build());
        }
        return later.setUnknownFields(unknown.build()).build();
    }

    /** In a format that nobody knows. */
    public static Message ofOtherFormat(Message record) {
        FieldDescriptor format = record.getDescriptorForType().findFieldByName("format");
        return record.toBuilder().setField(format, OTHER_FORMAT).build();
    }

    /** As an earlier release wrote it: without these fields. */
    public static Message earlier(Message record, String... without) {
        Message.Builder earlier = record.toBuilder();
        for (String name : without) {
            earlier.clearField(record.getDescriptorForType().findFieldByName(name));
        }
        return earlier.build();
    }
}
