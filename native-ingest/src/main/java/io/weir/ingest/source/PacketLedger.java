package io.weir.ingest.source;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.merge.PacketCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * How many packets a worker's processes have read, in a page of a file that is mapped: it is there
 * when the process was killed, for the next one, though not when the machine was. Two processes
 * must not have it at once. The reader's thread.
 *
 * <pre>
 *   long magic, long id, long packets; the rest of the page is 0
 * </pre>
 */
public final class PacketLedger {
    private static final long MAGIC = 0x5745_4952_4C44_4731L;
    private static final int PAGE_BYTES = 4096;
    private static final int ID = Long.BYTES;
    private static final int PACKETS = 2 * Long.BYTES;

    private final ByteBuffer page;
    private final long id;
    private final long earlier;
    private long packets;

    private PacketLedger(ByteBuffer page, long id) {
        this.page = page;
        this.id = id;
        this.earlier = page.getLong(PACKETS);
        this.packets = earlier;
    }

    /** Of a process that no other knows of. */
    public static PacketLedger none() {
        return new PacketLedger(ByteBuffer.allocate(PAGE_BYTES), PacketCounts.NO_LEDGER);
    }

    /** Where a directory has it. */
    public static Path in(Path directory) {
        return directory.resolve("packets");
    }

    /** What the one in a file says; empty where there is none. It may be another process'. */
    public static OptionalLong packets(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            ByteBuffer page = ByteBuffer.wrap(bytes);
            boolean is = bytes.length == PAGE_BYTES && page.getLong(0) == MAGIC;
            return is ? OptionalLong.of(page.getLong(PACKETS)) : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * The one in a file, or a new one.
     *
     * @throws WeirException UNWRITABLE_OUTPUT
     */
    public static PacketLedger open(Path file) {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            boolean whole = channel.size() == PAGE_BYTES;
            if (!whole) {
                fill(channel);
            }
            MappedByteBuffer page = channel.map(FileChannel.MapMode.READ_WRITE, 0, PAGE_BYTES);
            if (!whole || page.getLong(0) != MAGIC) {
                begin(page);
            }
            return new PacketLedger(page, page.getLong(ID));
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT, "packets cannot be counted in " + file + ": " + e);
        }
    }

    /** All of it is on the disk from now on: a mapped page that has no room there ends the JVM. */
    private static void fill(FileChannel channel) throws IOException {
        channel.truncate(0);
        ByteBuffer zeros = ByteBuffer.allocate(PAGE_BYTES);
        while (zeros.hasRemaining()) {
            channel.write(zeros, zeros.position());
        }
    }

    private static void begin(ByteBuffer page) {
        page.putLong(0, 0).putLong(PACKETS, 0);
        page.putLong(ID, new SplittableRandom().nextLong() | 1);
        page.putLong(0, MAGIC); // the last: until then it is none
    }

    /** A packet was read. */
    void add() {
        page.putLong(PACKETS, ++packets);
    }

    /**
     * The same in all processes that have had it; {@link PacketCounts#NO_LEDGER} without a file.
     */
    public long id() {
        return id;
    }

    /** Packets that processes before this one have read. */
    public long earlier() {
        return earlier;
    }
}
