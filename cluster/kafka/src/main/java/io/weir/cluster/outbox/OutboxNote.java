package io.weir.cluster.outbox;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A few bytes beside an outbox that change with its entries. The next process finds them as they
 * were after the last entry that it finds. Like the outbox it survives the process, not the
 * machine. One thread at a time; the disk's writes, in turn with entries.
 *
 * <p>A text is whole, or adds to those before it. An added text costs only its own bytes. A whole
 * text goes to the other file, so the one before stays until the new one is written. Added texts
 * come behind it, each with the next turn:
 *
 * <pre>
 *   int crc32c of the rest, long turn, long entry, int length, bytes
 * </pre>
 */
public final class OutboxNote {
    private static final int HEADER_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

    /** A text with this number is true whatever entries there are. */
    public static final long ALWAYS = -1;

    private final Path[] paths = new Path[2];
    private final FileChannel[] files = new FileChannel[2];
    private final Path place;
    private final Outbox outbox;
    private final Optional<byte[]> found;

    /** Length of the last whole text, and of all that adds to it. */
    private long bytes;

    /** The fields from here on belong to the disk's thread. */
    private int file;

    private long endBytes;
    private long turn;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Text(long turn, long entry, byte[] bytes) {
        boolean isTrue(Outbox outbox) {
            return entry == ALWAYS || outbox.had(entry);
        }
    }

    OutboxNote(Path directory, String name, Outbox outbox) {
        this.place = directory.resolve(name);
        this.outbox = outbox;
        List<Text> latest = List.of();
        try {
            for (int f = 0; f < paths.length; f++) {
                paths[f] = directory.resolve(name + "." + f);
                List<Text> texts = read(paths[f]);
                boolean is = !texts.isEmpty() && texts.get(0).isTrue(outbox);
                if (is && (latest.isEmpty() || texts.get(0).turn() > latest.get(0).turn())) {
                    latest = texts;
                    file = f;
                }
            }
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT,
                    "the outbox in " + directory + " cannot be used: " + e);
        }
        found = latest.isEmpty() ? Optional.empty() : Optional.of(joined(latest, outbox));
        bytes = found.map(text -> (long) HEADER_BYTES + text.length).orElse(0L);
    }

    private static byte[] joined(List<Text> texts, Outbox outbox) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        texts.stream().filter(text -> text.isTrue(outbox)).forEach(t -> all.writeBytes(t.bytes()));
        return all.toByteArray();
    }

    /** Returns the path of its files without their ends, for people. */
    @Override
    public String toString() {
        return place.toString();
    }

    /** Makes its files; false if the disk does not let it. Before an entry follows. */
    boolean isMade() {
        return outbox.isDone(this::make);
    }

    /** Texts may be of an entry that was not whole. Another entry gets its number. */
    private void make() throws IOException {
        for (int f = 0; f < files.length; f++) {
            if (files[f] == null) {
                files[f] = FileChannel.open(paths[f], CREATE, READ, WRITE);
            }
        }
        if (found.isEmpty()) {
            files[0].truncate(0);
            files[1].truncate(0);
        } else {
            writeWhole(found.get(), ALWAYS);
        }
    }

    /** Reads a whole text, and those added to it, up to one that was not completely written. */
    private List<Text> read(Path path) throws IOException {
        List<Text> texts = new ArrayList<>();
        if (!Files.exists(path)) {
            return texts;
        }
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(path));
        for (Text next = next(all); next != null; next = next(all)) {
            if (!texts.isEmpty() && next.turn() != texts.get(texts.size() - 1).turn() + 1) {
                break; // an older text is left there
            }
            texts.add(next);
            turn = Math.max(turn, next.turn() + 1);
        }
        return texts;
    }

    private static Text next(ByteBuffer all) {
        if (all.remaining() < HEADER_BYTES) {
            return null;
        }
        ByteBuffer text = all.slice();
        int crc = all.getInt();
        long turned = all.getLong();
        long entry = all.getLong();
        int length = all.getInt();
        if (length < 0 || length > all.remaining()) {
            return null;
        }
        byte[] bytes = new byte[length];
        all.get(bytes);
        return crc(text, length) == crc ? new Text(turned, entry, bytes) : null;
    }

    private static int crc(ByteBuffer all, int length) {
        CRC32C crc = new CRC32C();
        crc.update(all.slice(Integer.BYTES, HEADER_BYTES - Integer.BYTES + length));
        return (int) crc.getValue();
    }

    /**
     * The text that the process before has left, with all that adds to it; empty if there is none.
     */
    public Optional<byte[]> found() {
        return found.map(bytes -> Arrays.copyOf(bytes, bytes.length));
    }

    /**
     * Replaces the text written before, once that entry is whole.
     *
     * @param entry to be appended after this, or there already; the one before it is there
     * @return whether the disk has room for it; otherwise the earlier text stays
     */
    public boolean write(byte[] text, long entry) {
        boolean is = outbox.onDisk(text.length, () -> isWritten(text, entry, true));
        bytes = is ? HEADER_BYTES + text.length : bytes;
        return is;
    }

    /**
     * Adds this to the text written before, once that entry is whole. There must be one.
     *
     * @param entry as for a whole one
     * @return whether the disk has room for it; otherwise the earlier text stays
     */
    public boolean add(byte[] text, long entry) {
        boolean is = outbox.onDisk(text.length, () -> isWritten(text, entry, false));
        bytes += is ? HEADER_BYTES + text.length : 0;
        return is;
    }

    /** Length of the whole text, and of all that was added to it. */
    public long bytes() {
        return bytes;
    }

    /** As with entries, what the disk does not take now waits for it to. */
    private boolean isWritten(byte[] text, long entry, boolean whole) {
        return outbox.isDone(() -> writeText(text, entry, whole));
    }

    private void writeText(byte[] text, long entry, boolean whole) throws IOException {
        if (whole) {
            writeWhole(text, entry);
        } else {
            endBytes = write(files[file], endBytes, text, entry);
        }
    }

    private void writeWhole(byte[] text, long entry) throws IOException {
        int other = 1 - file;
        endBytes = write(files[other], 0, text, entry);
        file = other;
    }

    /** Returns the end of the written part. */
    private long write(FileChannel to, long fromBytes, byte[] bytes, long entry)
            throws IOException {
        ByteBuffer all = ByteBuffer.allocate(HEADER_BYTES + bytes.length);
        all.putInt(0).putLong(turn).putLong(entry).putInt(bytes.length).put(bytes);
        all.putInt(0, crc(all, bytes.length)).flip();
        long at = fromBytes;
        while (all.hasRemaining()) {
            at += to.write(all, at);
        }
        turn++;
        return at;
    }

    /** Idempotent. */
    void close() {
        for (FileChannel one : files) {
            try {
                if (one != null) {
                    one.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
