package io.weir.cluster.kafka.catalog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.disk.WholeFile;
import io.weir.cluster.wire.KeptCatalog;
import io.weir.cluster.wire.KeptRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The catalogue in a file of a worker, which starts with it while Kafka is away. The file is
 * replaced as a whole. Its first line is text; a {@link KeptCatalog} follows:
 *
 * <pre>
 *   weir catalog 1 version 42 records 3 crc32c 5a0e11c7
 * </pre>
 *
 * One thread at a time.
 */
public final class CatalogCopy {
    private static final int FORMAT = 1;
    private static final String NAME = "catalog";

    private final Path file;
    private long savedOffset = -1;

    /**
     * @param directory that is the worker's own
     */
    public CatalogCopy(Path directory) {
        this.file = directory.resolve(NAME);
    }

    /** Returns whether this differs from the last copy saved or read. */
    boolean lacks(Kept kept) {
        return kept.offset() != savedOffset;
    }

    /**
     * The content of a copy.
     *
     * @param offset its version
     * @param entries the latest of each name
     */
    record Kept(long offset, List<Planning.Entry> entries) {}

    void save(Kept kept) throws IOException {
        KeptCatalog.Builder built =
                KeptCatalog.newBuilder().setFormat(FORMAT).setOffset(kept.offset());
        for (Planning.Entry entry : kept.entries()) {
            built.addRecord(
                    KeptRecord.newBuilder()
                            .setName(entry.name())
                            .setOffset(entry.offset())
                            .setValue(ByteString.copyFrom(entry.value())));
        }
        byte[] body = built.build().toByteArray();
        byte[] line = (line(kept.offset(), kept.entries().size(), body) + "\n").getBytes(US_ASCII);
        byte[] all = Arrays.copyOf(line, line.length + body.length);
        System.arraycopy(body, 0, all, line.length, body.length);
        WholeFile.write(file, all);
        savedOffset = kept.offset();
    }

    private static String line(long offset, int records, byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return String.format(
                "weir catalog %d version %d records %d crc32c %08x",
                FORMAT, offset, records, crc.getValue());
    }

    /** Returns the saved copy; empty if there is no intact one. */
    Optional<Kept> read() {
        try {
            byte[] all = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
            int end = 0;
            while (end < all.length && all[end] != '\n') {
                end++;
            }
            return end == all.length
                    ? Optional.empty()
                    : read(
                            new String(all, 0, end, US_ASCII),
                            Arrays.copyOfRange(all, end + 1, all.length));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Optional<Kept> read(String line, byte[] body) throws InvalidProtocolBufferException {
        KeptCatalog kept = KeptCatalog.parseFrom(body);
        if (kept.getFormat() != FORMAT
                || !line.equals(line(kept.getOffset(), kept.getRecordCount(), body))) {
            return Optional.empty();
        }
        List<Planning.Entry> entries = new ArrayList<>();
        for (KeptRecord record : kept.getRecordList()) {
            entries.add(
                    new Planning.Entry(
                            record.getName(), record.getOffset(), record.getValue().toByteArray()));
        }
        savedOffset = kept.getOffset();
        return Optional.of(new Kept(kept.getOffset(), entries));
    }
}
