package io.weir.cluster.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file whose bytes up to a mark the disk really has. Zeros are written there by calls, so a disk
 * without room fails a call. A later store to a mapped page of them cannot end the process. Bytes
 * below the mark are never written again. One thread.
 */
public final class BackedFile implements AutoCloseable {
    private static final int PIECE_BYTES = 64 << 10;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(PIECE_BYTES);

    private final FileChannel file;
    private long backedBytes;

    private BackedFile(FileChannel file, long backedBytes) {
        this.file = file;
        this.backedBytes = backedBytes;
    }

    /** An empty file; one that is there is emptied. */
    public static BackedFile make(Path path) throws IOException {
        return open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
    }

    private static BackedFile open(Path path, OpenOption... how) throws IOException {
        return new BackedFile(FileChannel.open(path, how), 0);
    }

    /** Has so many bytes of a file be zeros that the disk has, whatever they were before. */
    public static void zero(Path path, long bytes) throws IOException {
        try (BackedFile file = open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.back(bytes);
        }
    }

    /** Has the disk have so many bytes behind the last that is not zero. */
    public static void backEnd(Path path, long bytes) throws IOException {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long end = end(file);
            new BackedFile(file, end).back(end + bytes);
        }
    }

    /** Number after the last byte that is not zero. A read of a hole takes no room. */
    private static long end(FileChannel file) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        for (long from = (file.size() - 1) / PIECE_BYTES * PIECE_BYTES;
                from >= 0;
                from -= PIECE_BYTES) {
            piece.clear();
            int read = 0;
            while (read >= 0 && piece.hasRemaining()) {
                read = file.read(piece, from + piece.position());
            }
            for (int at = piece.position() - 1; at >= 0; at--) {
                if (piece.get(at) != 0) {
                    return from + at + 1;
                }
            }
        }
        return 0;
    }

    /**
     * Has the disk have all bytes before this one. If it throws, the bytes that could be written
     * stay, and the same call goes on from there.
     */
    public void back(long toBytes) throws IOException {
        while (backedBytes < toBytes) {
            int bytes = (int) Math.min(PIECE_BYTES, toBytes - backedBytes);
            backedBytes += file.write(ZEROS.duplicate().limit(bytes), backedBytes);
        }
    }

    /** The mark: the disk has each byte below it. */
    public long backedBytes() {
        return backedBytes;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
