package io.weir.cluster.outbox;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * What entries of an outbox have come to, beside it: a few bytes that change with an entry, and
 * that the next process finds as they were after the last entry that it finds. Like the outbox it
 * survives the process, not the machine. One thread at a time; the disk's writes, in turn with
 * entries.
 *
 * <p>A text is whole, or adds to those before it: then it costs what it has, and not what all have.
 * A whole one goes to the file that the one before is not in, so that this is there until it is
 * written; those that add come behind it, each with the next turn:
 *
 * <pre>
 *   int crc32c of the rest, long turn, long entry, int length, bytes
 * </pre>
 */
public final class OutboxNote {
    private static final int HEADER_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

    /** What is written with it is true whatever entries there are. */
    public static final long ALWAYS = -1;

    private final FileChannel[] files = new FileChannel[2];
    private final Outbox outbox;
    private final Optional<byte[]> found;

    /** Of the whole text that was handed over last, and what adds to it. */
    private long bytes;

    /** Something of that was not written. */
    private volatile boolean broken;

    private volatile Consumer<String> onFailure = why -> {};

    /** The disk's from here. */
    private int file;

    private long endBytes;
    private long turn;
    private boolean lacks;
    private boolean told;

    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Text(long turn, long entry, byte[] bytes) {
        boolean isTrue(Outbox outbox) {
            return entry == ALWAYS || outbox.had(entry);
        }
    }

    OutboxNote(Path directory, String name, Outbox outbox) {
        this.outbox = outbox;
        try {
            List<Text> latest = List.of();
            for (int f = 0; f < files.length; f++) {
                files[f] =
                        FileChannel.open(
                                directory.resolve(name + "." + f),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE);
                List<Text> texts = read(f);
                boolean is = !texts.isEmpty() && texts.get(0).isTrue(outbox);
                if (is && (latest.isEmpty() || texts.get(0).turn() > latest.get(0).turn())) {
                    latest = texts;
                    file = f;
                }
            }
            found = latest.isEmpty() ? Optional.empty() : Optional.of(joined(latest, outbox));
            goOn();
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT,
                    "the outbox in " + directory + " cannot be used: " + e);
        }
    }

    private static byte[] joined(List<Text> texts, Outbox outbox) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        texts.stream().filter(text -> text.isTrue(outbox)).forEach(t -> all.writeBytes(t.bytes()));
        return all.toByteArray();
    }

    /** Texts may be of an entry that was not whole: another entry gets its number. */
    private void goOn() throws IOException {
        if (found.isEmpty()) {
            files[0].truncate(0);
            files[1].truncate(0);
        } else {
            writeWhole(found.get(), ALWAYS);
            bytes = endBytes;
        }
    }

    /** A whole one, and what adds to it, up to what was not written to its end. */
    private List<Text> read(int number) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) files[number].size());
        int read = 0;
        while (read >= 0 && all.hasRemaining()) {
            read = files[number].read(all, all.position());
        }
        all.flip();
        List<Text> texts = new ArrayList<>();
        for (Text next = next(all); next != null; next = next(all)) {
            if (!texts.isEmpty() && next.turn() != texts.get(texts.size() - 1).turn() + 1) {
                break; // left of what was there before
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

    /** To be told, once, why something could not be written. Before the first. */
    public void onFailure(Consumer<String> action) {
        onFailure = action;
    }

    /**
     * What the process before has left: a whole text, and behind it those that add to it; empty
     * when there is nothing.
     */
    public Optional<byte[]> found() {
        return found.map(bytes -> Arrays.copyOf(bytes, bytes.length));
    }

    /**
     * Has this take the place of what was written before, once that entry is whole.
     *
     * @param entry to be appended after this, or there already; the one of before is there
     * @return whether the disk has room for it; else what was written before stays
     */
    public boolean write(byte[] text, long entry) {
        broken = false;
        boolean is = outbox.onDisk(text.length, () -> isWritten(text, entry, true));
        bytes = is ? HEADER_BYTES + text.length : bytes;
        return is;
    }

    /**
     * Adds this to what was written before, once that entry is whole; something was.
     *
     * @param entry as for a whole one
     * @return whether the disk has room for it; else what was written before stays
     */
    public boolean add(byte[] text, long entry) {
        boolean is = outbox.onDisk(text.length, () -> isWritten(text, entry, false));
        bytes += is ? HEADER_BYTES + text.length : 0;
        return is;
    }

    /** Whether something was handed over and could not be written: the next is to be whole. */
    public boolean isBroken() {
        return broken;
    }

    /** Of the whole text, and all that was added to it. */
    public long bytes() {
        return bytes;
    }

    private boolean isWritten(byte[] text, long entry, boolean whole) {
        try {
            if (whole) {
                writeWhole(text, entry);
                lacks = false;
            } else if (!lacks) { // what adds to one that is not there would go with it
                endBytes = write(files[file], endBytes, text, entry);
            }
        } catch (IOException e) {
            lacks = true;
            if (!told) {
                onFailure.accept(e.getMessage());
            }
            told = true;
        }
        broken |= lacks;
        return true;
    }

    private void writeWhole(byte[] text, long entry) throws IOException {
        int other = 1 - file;
        endBytes = write(files[other], 0, text, entry);
        file = other;
    }

    /** Returns the end of what it has written. */
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
                one.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
