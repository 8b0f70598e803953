package io.weir.cluster.counts;

import io.weir.cluster.protocol.PacketCounts;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * Keeps the number of packets that a worker's processes have read. It outlives a killed process,
 * but not a machine that stops. Two processes must not have it at once. The reader's thread.
 *
 * <p>While a process counts, its count is in a page of shared memory and in no file. A store to a
 * page of a file would wait when the disk hangs, and packets must not wait for a disk. In the file
 * are the ledger's number and, from one process that ended to the next, its count. Without shared
 * memory the file itself is mapped. A page is written by a call before it is mapped: one that has
 * no room would end the process.
 *
 * <pre>
 *   long magic (a count, or one that is in shared memory), long id, long packets;
 *   the rest of the page is 0
 * </pre>
 */
public final class PacketLedger implements AutoCloseable {
    private static final long COUNTED = 0x5745_4952_4C44_4731L;
    private static final long SHARED = 0x5745_4952_4C44_4732L;
    private static final int PAGE_BYTES = 4096;
    private static final int ID = Long.BYTES;
    private static final int PACKETS = 2 * Long.BYTES;
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path file;
    private final Optional<Path> shared;
    private final ByteBuffer page;
    private final long id;
    private final long earlier;
    private long packets;
    private volatile boolean named;

    private PacketLedger(Path file, Optional<Path> shared, ByteBuffer page) {
        this.file = file;
        this.shared = shared;
        this.page = page;
        this.id = page.getLong(ID);
        this.earlier = page.getLong(PACKETS);
        this.packets = earlier;
    }

    /** Returns the ledger of a process that no other knows of. */
    public static PacketLedger none() {
        return new PacketLedger(
                Path.of(""), Optional.empty(), page(COUNTED, PacketCounts.NO_LEDGER, 0));
    }

    /** Returns its place in a directory. */
    public static Path in(Path directory) {
        return directory.resolve("packets");
    }

    /**
     * Returns the count of the one in a file; empty if there is none. It may be another process'.
     */
    public static OptionalLong packets(Path file) {
        return packets(file, MEMORY);
    }

    static OptionalLong packets(Path file, Path memory) {
        try {
            ByteBuffer page = latest(file, memory);
            return page == null ? OptionalLong.empty() : OptionalLong.of(page.getLong(PACKETS));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * The one in a file, or a new one. If the disk accepts no file now, {@link #name} creates it
     * later.
     *
     * @throws WeirException UNWRITABLE_OUTPUT where no file can be read, or no page be mapped
     */
    public static PacketLedger open(Path file) {
        return open(file, MEMORY);
    }

    /**
     * @param memory a folder whose files are on no disk
     */
    static PacketLedger open(Path file, Path memory) {
        try {
            ByteBuffer found = latest(file, memory);
            long id = found == null ? new SplittableRandom().nextLong() | 1 : found.getLong(ID);
            long packets = found == null ? 0 : found.getLong(PACKETS);
            ByteBuffer counted = page(COUNTED, id, packets);
            if (!Files.isDirectory(memory) || !Files.isWritable(memory)) {
                return new PacketLedger(file, Optional.empty(), mapped(file, counted));
            }
            Path shared = shared(memory, id);
            PacketLedger ledger =
                    new PacketLedger(file, Optional.of(shared), mapped(shared, counted));
            ledger.tryToName();
            return ledger;
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT,
                    "packets cannot be counted for " + file + ": " + e);
        }
    }

    private void tryToName() {
        try {
            name();
        } catch (IOException e) {
            return; // who opens it asks
        }
    }

    /** Tells whether the next process finds this ledger, even if this process is killed. */
    public boolean isNamed() {
        return named || shared.isEmpty();
    }

    /** Has the next process find it. Any thread, one at a time; tried again where it throws. */
    public void name() throws IOException {
        if (!named && shared.isPresent()) {
            if (!isNamedIn(read(file))) {
                write(file, page(SHARED, id, earlier)); // the count is in memory by then
            }
            named = true;
        }
    }

    /** By the process before, whose page this is. */
    private boolean isNamedIn(ByteBuffer page) {
        return page != null && page.getLong(0) == SHARED && page.getLong(ID) == id;
    }

    private static Path shared(Path memory, long id) {
        return memory.resolve("weir-packets-" + Long.toHexString(id));
    }

    /** The page that has the count; null where there is none, or the machine was restarted. */
    private static ByteBuffer latest(Path file, Path memory) throws IOException {
        ByteBuffer page = read(file);
        if (page == null || page.getLong(0) == COUNTED) {
            return page;
        }
        ByteBuffer counted = read(shared(memory, page.getLong(ID)));
        boolean is = counted != null && counted.getLong(0) == COUNTED;
        return is && counted.getLong(ID) == page.getLong(ID) ? counted : null;
    }

    /** Null where there is none that is whole. */
    private static ByteBuffer read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        ByteBuffer page = ByteBuffer.wrap(Files.readAllBytes(file));
        boolean is = page.capacity() == PAGE_BYTES;
        return is && (page.getLong(0) == COUNTED || page.getLong(0) == SHARED) ? page : null;
    }

    private static ByteBuffer page(long magic, long id, long packets) {
        ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
        return page.putLong(0, magic).putLong(ID, id).putLong(PACKETS, packets);
    }

    /** All of it is there from now on: a mapped page that has no room ends the JVM. */
    private static MappedByteBuffer mapped(Path file, ByteBuffer page) throws IOException {
        write(file, page);
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, PAGE_BYTES);
        }
    }

    /** In place, for it is one page: whoever reads meanwhile finds the one before or this one. */
    private static void write(Path file, ByteBuffer page) throws IOException {
        byte[] before = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        page.rewind();
        if (!page.equals(ByteBuffer.wrap(before))) {
            try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.truncate(PAGE_BYTES);
                while (page.hasRemaining()) {
                    channel.write(page, page.position());
                }
            }
        }
    }

    /** Does the same as {@link #add} for one reader of several. */
    synchronized void addShared(long count) {
        add(count);
    }

    /** So many packets were read, or are known to be lost. */
    void add(long count) {
        packets += count;
        page.putLong(PACKETS, packets);
    }

    /**
     * Number of the ledger. It stays the same in all processes that use the file; {@link
     * PacketCounts#NO_LEDGER} without a file.
     */
    public long id() {
        return id;
    }

    /** Packets that processes before this one have read. */
    public long earlier() {
        return earlier;
    }

    /** No packet is read any more: the count goes to the file. */
    @Override
    public void close() {
        if (shared.isPresent()) {
            try {
                write(file, page(COUNTED, id, packets));
                Files.deleteIfExists(shared.get()); // the count is in the file by then
            } catch (IOException e) {
                forgetUnnamed(shared.get()); // else the page stays, and is found
            }
        }
    }

    private void forgetUnnamed(Path page) {
        try {
            if (!named) {
                Files.deleteIfExists(page);
            }
        } catch (IOException e) {
            return; // nobody looks for it
        }
    }
}
