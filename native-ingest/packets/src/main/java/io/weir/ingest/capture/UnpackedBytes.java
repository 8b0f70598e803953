package io.weir.ingest.capture;

import java.nio.file.Path;

/**
 * A compressed file, decompressed as it is read. A thread of its own does it, one MiB ahead at
 * most. Unlike a pipe, it is waited for, so that its packets come as those of any file. One thread,
 * beside that of the {@link PipeReader}.
 */
final class UnpackedBytes extends BufferedBytes {
    private final PipeReader reader;
    private boolean ended;

    private UnpackedBytes(Path path) {
        super(WINDOW_BYTES);
        reader = new PipeReader(path);
    }

    static UnpackedBytes open(Path path) {
        UnpackedBytes bytes = new UnpackedBytes(path);
        bytes.reader.start();
        return bytes;
    }

    @Override
    long slide(long position, long lengthBytes) {
        while (end < position && !ended) {
            keepFrom(end, 0);
            take(Math.min(window.capacity(), position - end));
        }
        if (end < position) {
            return 0;
        }
        keepFrom(position, (int) lengthBytes);
        while (end < position + lengthBytes && !ended) {
            take(window.capacity() - (end - start));
        }
        return end < position + lengthBytes ? 0 : base + position;
    }

    private void take(long mostBytes) {
        reader.await(Long.MAX_VALUE);
        int taken = reader.take(base + end, mostBytes);
        ended = taken < 0;
        end += Math.max(0, taken);
    }

    @Override
    boolean isEnded() {
        return ended;
    }

    @Override
    String damage() {
        return reader.damage();
    }

    @Override
    long sizeBytes() {
        return end;
    }

    @Override
    boolean await(long timeoutNs) {
        return true;
    }

    @Override
    public void close() {
        reader.close();
        freeWindow();
    }
}
