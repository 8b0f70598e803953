package io.weir.cluster.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.weir.cluster.sink.Batches;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows in each format, read by who knows no more than the schema files that were written. */
class RowFormatsTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int ROWS = 200;

    private static final Query QUERY =
            Batches.query(
                    "odd name-1",
                    Batches.column("n", Kind.BIGINT),
                    Batches.column("share", Kind.DOUBLE),
                    Batches.column("is on", Kind.BOOLEAN),
                    Batches.column("ts", Kind.TIMESTAMP),
                    Batches.column("took", Kind.INTERVAL),
                    Batches.column("addr", Kind.INET),
                    Batches.column("mac", Kind.MACADDR),
                    Batches.column("is_on", Kind.VARCHAR),
                    Batches.column("isOn", Kind.BIGINT));
    private static final List<String> NAMES =
            List.of("n", "share", "is_on", "ts", "took", "addr", "mac", "is_on_2", "isOn_3");
    private static final String[] WORDS = {"", "Node1", "ü \"quoted\"\n", "日本"};

    @TempDir private Path folder;

    private final long seed = Long.getLong("weir.seed", 20_261_122L);
    private final Random random = new Random(seed);

    private Object[] row() {
        Inet address =
                random.nextBoolean()
                        ? Inet.v4(random.nextInt())
                        : new Inet(6, random.nextLong(), random.nextLong());
        Object[] row = {
            random.nextLong(),
            random.nextInt(10) == 0 ? Double.NaN : random.nextGaussian() * 1e300,
            random.nextBoolean(),
            // Within Timestamp's years: 1 to 9999, and some before 1970.
            random.nextLong() / 4,
            random.nextLong() / 2,
            address,
            random.nextLong() & 0xFFFF_FFFF_FFFFL,
            WORDS[random.nextInt(WORDS.length)],
            (long) random.nextInt()
        };
        for (int c = 0; c < row.length; c++) {
            if (random.nextInt(5) == 0) {
                row[c] = null;
            }
        }
        return row;
    }

    private RowBatch batch(NativeAllocator allocator) {
        Object[][] rows = IntStream.range(0, ROWS).mapToObj(i -> row()).toArray(Object[][]::new);
        return Batches.of(QUERY, Long.MIN_VALUE, Long.MAX_VALUE, allocator, rows);
    }

    private RowFormats formats(RowFormat format, Optional<SchemaRegistry> registry) {
        return new RowFormats(format, Optional.of(folder), registry);
    }

    @Test
    void avroIsReadByItsSchemaAlone() throws Exception {
        NativeAllocator allocator = new NativeAllocator(1 << 24);
        try (RowBatch batch = batch(allocator)) {
            RowEncoder encoder =
                    formats(RowFormat.AVRO, Optional.empty()).encoder(QUERY, "weir.results.x");
            Schema schema =
                    new Schema.Parser().parse(folder.resolve("weir.results.x.avsc").toFile());
            assertEquals("odd_name_1", schema.getName());
            // A consumer is not of the worker's user.
            assertEquals(
                    "rw-r--r--",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.resolve("weir.results.x.avsc"))));
            assertEquals(NAMES, schema.getFields().stream().map(Schema.Field::name).toList());
            assertEquals(
                    "timestamp-nanos",
                    schema.getField("ts").schema().getTypes().get(1).getLogicalType().getName());
            for (int r = 0; r < ROWS; r++) {
                GenericRecord record = avro(schema, encoder.encode(batch, r));
                for (int c = 0; c < NAMES.size(); c++) {
                    Object read = record.get(c);
                    assertEquals(
                            plain(batch, r, c),
                            read instanceof CharSequence ? read.toString() : read,
                            "seed " + seed + ", row " + r + ", " + NAMES.get(c));
                }
            }
        }
    }

    private static GenericRecord avro(Schema schema, byte[] value) throws Exception {
        return new GenericDatumReader<GenericRecord>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(value, null));
    }

    /** As a reader sees it: numbers, and text for what has no number. */
    private static Object plain(RowBatch batch, int row, int column) {
        Object value = batch.value(row, column);
        if (value instanceof Inet inet) {
            return io.weir.operators.graph.InetText.format(inet.family(), inet.high(), inet.low());
        }
        if (value != null && batch.layout().kind(column) == Kind.MACADDR) {
            return String.format("%012x", (Long) value).replaceAll("(..)(?!$)", "$1:");
        }
        return value;
    }

    @Test
    void protobufIsReadByItsDescriptorAlone() throws Exception {
        NativeAllocator allocator = new NativeAllocator(1 << 24);
        try (RowBatch batch = batch(allocator)) {
            RowEncoder encoder =
                    formats(RowFormat.PROTOBUF, Optional.empty()).encoder(QUERY, "weir.results.x");
            Descriptor descriptor = descriptor(folder.resolve("weir.results.x.desc"));
            assertEquals(
                    NAMES, descriptor.getFields().stream().map(FieldDescriptor::getName).toList());
            for (int r = 0; r < ROWS; r++) {
                DynamicMessage message =
                        DynamicMessage.parseFrom(descriptor, encoder.encode(batch, r));
                assertTrue(message.getUnknownFields().asMap().isEmpty());
                for (FieldDescriptor field : descriptor.getFields()) {
                    assertEquals(
                            plain(batch, r, field.getIndex()),
                            message.hasField(field) ? ns(message.getField(field)) : null,
                            "seed " + seed + ", row " + r + ", " + field.getName());
                }
            }
        }
        String text = Files.readString(folder.resolve("weir.results.x.proto"));
        assertTrue(text.contains("  optional google.protobuf.Timestamp ts = 4;\n"), text);
    }

    private static Object ns(Object value) {
        if (!(value instanceof Message message)) {
            return value;
        }
        Descriptor type = message.getDescriptorForType();
        return (Long) message.getField(type.findFieldByName("seconds")) * SECOND_NS
                + (Integer) message.getField(type.findFieldByName("nanos"));
    }

    private static Descriptor descriptor(Path file) throws Exception {
        List<FileDescriptor> known = new ArrayList<>();
        for (FileDescriptorProto one :
                FileDescriptorSet.parseFrom(Files.readAllBytes(file)).getFileList()) {
            FileDescriptor[] needed =
                    known.stream()
                            .filter(k -> one.getDependencyList().contains(k.getName()))
                            .toArray(FileDescriptor[]::new);
            known.add(FileDescriptor.buildFrom(one, needed));
        }
        return known.get(known.size() - 1).getMessageTypes().get(0);
    }

    /** What a SQL server does with them, in all formats, framed and bare. */
    @Test
    void rowsComeBackAsTheyWere() throws Exception {
        NativeAllocator allocator = new NativeAllocator(1 << 24);
        try (FakeRegistry registry = new FakeRegistry();
                RowBatch batch = batch(allocator);
                RowBatch back = batch(allocator)) {
            RowReader reader = new RowReader(QUERY);
            for (RowFormat format : List.of(RowFormat.AVRO, RowFormat.PROTOBUF)) {
                for (Optional<SchemaRegistry> with :
                        List.of(Optional.<SchemaRegistry>empty(), registry.client())) {
                    RowEncoder encoder = formats(format, with).encoder(QUERY, "t");
                    for (int r = 0; r < ROWS; r++) {
                        byte[] value = encoder.encode(batch, r);
                        reader.read(format, with.isPresent(), value, back, r);
                        for (int c = 0; c < NAMES.size(); c++) {
                            assertEquals(batch.value(r, c), back.value(r, c), "seed " + seed);
                        }
                    }
                }
                byte[] junk = new byte[40];
                Arrays.fill(junk, (byte) 0xFF);
                for (boolean framed : new boolean[] {false, true}) {
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> reader.read(format, framed, junk, back, 0));
                }
            }
        }
    }

    /** Confluent's frame: 0, the number, for Protobuf the message's index. */
    @Test
    void aRegistryIsGivenTheSchemaAndRowsItsNumber() throws Exception {
        NativeAllocator allocator = new NativeAllocator(1 << 24);
        try (FakeRegistry registry = new FakeRegistry();
                RowBatch batch = batch(allocator)) {
            RowEncoder avro = formats(RowFormat.AVRO, registry.client()).encoder(QUERY, "t.a");
            ByteBuffer value = ByteBuffer.wrap(avro.encode(batch, 0));
            assertEquals(0, value.get());
            assertEquals(7, value.getInt());
            byte[] rest = new byte[value.remaining()];
            value.get(rest);
            avro(AvroRows.schema(QUERY), rest);

            RowEncoder proto = formats(RowFormat.PROTOBUF, registry.client()).encoder(QUERY, "t p");
            value = ByteBuffer.wrap(proto.encode(batch, 0));
            assertEquals(0, value.get());
            assertEquals(8, value.getInt());
            assertEquals(0, value.get());

            assertEquals(
                    List.of(
                            "POST /subjects/t.a-value/versions Basic dTpwYXNz",
                            "POST /subjects/t%20p-value/versions Basic dTpwYXNz"),
                    registry.requests());
            assertFalse(registry.bodies().get(0).contains("schemaType"), registry.bodies().get(0));
            assertTrue(
                    registry.bodies()
                            .get(1)
                            .startsWith("{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax"),
                    registry.bodies().get(1));
            registry.answer(409);
            WeirException e =
                    assertThrows(
                            WeirException.class,
                            () -> formats(RowFormat.AVRO, registry.client()).encoder(QUERY, "t"));
            assertTrue(e.getMessage().endsWith("it answers 409 not compatible"), e.text());
            assertFalse(e.text().contains("pass"), e.text());
            assertEquals(3, registry.requests().size());
            registry.answer(503);
            assertThrows(
                    WeirException.class,
                    () -> formats(RowFormat.AVRO, registry.client()).encoder(QUERY, "t"));
            assertEquals(6, registry.requests().size()); // tried three times
        }
    }

    /** As a real one does to Protobuf where there was Avro before: that is no other's trouble. */
    @Test
    void whatARegistryFailsWithIsOfOneSchema() throws Exception {
        try (FakeRegistry registry = new FakeRegistry()) {
            RowFormats formats = formats(RowFormat.PROTOBUF, registry.client());
            registry.answer(500);
            assertRefused(formats, "t");
            registry.answer(200);
            var unused = formats.encoder(QUERY, "u");
            assertEquals(4, registry.requests().size());
        }
    }

    /** What answers is no registry, or one that is away; what was told once is not asked again. */
    @Test
    void aRegistryThatIsNoneIsAnErrorAndIsNotAskedForEachSchema() throws Exception {
        try (FakeRegistry registry = new FakeRegistry()) {
            for (String garbage :
                    List.of(
                            "<html>proxy</html>",
                            "",
                            "[]",
                            "7",
                            "{\"id\":",
                            "{\"id\":\"7\"}",
                            "{\"id\":-7}",
                            "{\"id\":7000000000}",
                            "{\"number\":{\"id\":7}}")) {
                registry.garble(garbage);
                assertRefused(formats(RowFormat.AVRO, registry.client()), "t");
            }
            registry.garble(null);
            RowFormats formats = formats(RowFormat.AVRO, registry.client());
            int before = registry.requests().size();
            registry.answer(503);
            assertRefused(formats, "t");
            assertRefused(formats, "u");
            assertEquals(before + 3, registry.requests().size(), "asked for each schema");
            registry.answer(200);
            RowFormats others = formats(RowFormat.AVRO, registry.client());
            int id = others.encoder(QUERY, "t").schemaId().orElseThrow();
            registry.answer(503);
            assertEquals(id, others.encoder(QUERY, "t").schemaId().orElseThrow());
        }
    }

    private static void assertRefused(RowFormats formats, String topic) {
        WeirException e = assertThrows(WeirException.class, () -> formats.encoder(QUERY, topic));
        assertEquals(ErrorCode.UNWRITABLE_OUTPUT, e.code());
        assertTrue(e.getMessage().contains("cannot be registered at http://127"), e.text());
        assertFalse(e.text().contains("pass"), e.text());
    }

    @Test
    void optionsThatDoNotGoTogetherAreErrors() {
        assertThrows(WeirException.class, () -> formats(RowFormat.JSON, Optional.empty()));
        assertThrows(WeirException.class, () -> RowFormat.parse("xml"));
        for (String url : List.of("", "ftp://h", "http://u:hush@h", "h:1", "http://h?x=1")) {
            WeirException e =
                    assertThrows(
                            WeirException.class, () -> new SchemaRegistry(url, Optional.empty()));
            assertFalse(e.text().contains("hush"), e.text());
        }
    }
}
