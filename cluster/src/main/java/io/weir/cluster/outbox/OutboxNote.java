package io.weir.cluster.outbox;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What entries of an outbox have come to, beside it: a few bytes that change with an entry, and
 * that the next process finds as they were after the last entry that it finds. Like the outbox it
 * survives the process, not the machine. One thread at a time.
 *
 * <p>Two files are written in turn, so that the text before is whole until the next is:
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
    private final Optional<byte[]> found;
    private long turn;

    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Text(long turn, long entry, byte[] bytes) {}

    OutboxNote(Path directory, String name, Outbox outbox) {
        try {
            Text latest = null;
            for (int f = 0; f < files.length; f++) {
                files[f] =
                        FileChannel.open(
                                directory.resolve(name + "." + f),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE);
                Text text = read(f);
                boolean is = text != null && (text.entry() == ALWAYS || outbox.had(text.entry()));
                if (is && (latest == null || text.turn() > latest.turn())) {
                    latest = text;
                }
            }
            found = Optional.ofNullable(latest).map(Text::bytes);
            goOn(latest);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT,
                    "the outbox in " + directory + " cannot be used: " + e);
        }
    }

    /** The other file may be of an entry that was not whole: another entry gets its number. */
    private void goOn(Text latest) throws IOException {
        if (latest == null) {
            files[0].truncate(0);
            files[1].truncate(0);
        } else {
            turn = latest.turn() + 1;
            write(latest.bytes(), ALWAYS);
        }
    }

    private Text read(int file) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) files[file].size());
        int read = 0;
        while (read >= 0 && all.hasRemaining()) {
            read = files[file].read(all, all.position());
        }
        all.flip();
        if (all.remaining() < HEADER_BYTES) {
            return null;
        }
        int crc = all.getInt();
        long turned = all.getLong();
        long entry = all.getLong();
        int length = all.getInt();
        if (length < 0 || length > all.remaining()) {
            return null;
        }
        byte[] bytes = new byte[length];
        all.get(bytes);
        return crc(all, length) == crc ? new Text(turned, entry, bytes) : null;
    }

    private static int crc(ByteBuffer all, int length) {
        CRC32C crc = new CRC32C();
        crc.update(all.slice(Integer.BYTES, HEADER_BYTES - Integer.BYTES + length));
        return (int) crc.getValue();
    }

    /** What the process before has left; empty when there is nothing. */
    public Optional<byte[]> found() {
        return found.map(bytes -> Arrays.copyOf(bytes, bytes.length));
    }

    /**
     * Has this take the place of what was written before, once that entry is whole.
     *
     * @param entry to be appended after this, or there already; the one of before is there
     * @throws IOException and what was written before stays
     */
    public void write(byte[] bytes, long entry) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(HEADER_BYTES + bytes.length);
        all.putInt(0).putLong(turn).putLong(entry).putInt(bytes.length).put(bytes);
        all.putInt(0, crc(all, bytes.length)).flip();
        FileChannel file = files[(int) (turn % files.length)];
        for (long at = 0; all.hasRemaining(); ) {
            at += file.write(all, at);
        }
        turn++;
    }

    /** Idempotent. */
    void close() {
        for (FileChannel file : files) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
