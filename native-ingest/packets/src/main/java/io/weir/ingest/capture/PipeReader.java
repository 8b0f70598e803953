package io.weir.ingest.capture;

import io.weir.operators.memory.Memory;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;

/**
 * Opens a pipe, or a compressed file, and reads it ahead on a thread of its own. A thread that
 * waits for a writer, or in a read, cannot be stopped, and cannot report that nothing comes. It
 * holds {@value #RING_BYTES} bytes at most: then the writer waits.
 *
 * <p>{@link #take} and {@link #await} are for one thread; {@link #close} is for any. The buffer is
 * freed once it is closed and its thread has ended. If a read never returns, the collector frees
 * it.
 */
final class PipeReader implements AutoCloseable {
    private static final int RING_BYTES = 1 << 20;
    private static final int READ_BYTES = 64 << 10;

    private final Path path;
    private final ByteBuffer ring = ByteBuffer.allocateDirect(RING_BYTES);
    private final Thread thread;

    // All fields from here on are guarded by this object's monitor.
    private FileChannel channel;
    private long read;
    private long taken;
    private boolean running;
    private boolean ended;
    private boolean closed;
    private IOException failure;
    private String damage;

    PipeReader(Path path) {
        this.path = path;
        this.thread = new Thread(this::readAll, "weir-pipe");
        thread.setDaemon(true); // a read of standard input may never return
    }

    synchronized void start() {
        running = true;
        thread.start();
    }

    private void readAll() {
        try {
            readToEnd();
        } finally {
            stopped();
        }
    }

    private synchronized void stopped() {
        running = false;
        if (closed) {
            BufferUtil.free(ring);
        }
    }

    private void readToEnd() {
        IOException problem = null;
        try (ByteStream from = ByteStream.of(open())) {
            int space = awaitSpace();
            while (space > 0 && read(from, space)) {
                space = awaitSpace();
            }
            damage(from.damage());
        } catch (IOException e) {
            problem = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does; it is handled like the pipe's end
        }
        end(problem);
    }

    private FileChannel open() throws IOException {
        FileChannel opened =
                path.equals(CapturePath.STANDARD_INPUT)
                        ? new FileInputStream(FileDescriptor.in).getChannel()
                        : FileChannel.open(path, StandardOpenOption.READ);
        synchronized (this) {
            channel = opened;
            if (closed) {
                opened.close();
            }
        }
        return opened;
    }

    private synchronized void damage(String why) {
        damage = why;
    }

    /** Returns the reason why the rest cannot be decompressed, once {@link #take} is at its end. */
    synchronized String damage() {
        return damage;
    }

    private synchronized void end(IOException problem) {
        failure = problem;
        ended = true;
        notifyAll();
    }

    /** Returns the bytes that a read may bring; 0 when nobody wants them any more. */
    private synchronized int awaitSpace() throws InterruptedException {
        while (read - taken == RING_BYTES && !closed) {
            wait();
        }
        return closed ? 0 : (int) Math.min(READ_BYTES, RING_BYTES - (read - taken));
    }

    private boolean read(ByteStream source, int space) throws IOException {
        int from = (int) (read % RING_BYTES); // written by this thread only
        ByteBuffer free = ring.duplicate();
        free.limit(Math.min(from + space, RING_BYTES)).position(from);
        int bytes = source.read(free);
        if (bytes < 0) {
            return false;
        }
        synchronized (this) {
            read += bytes;
            notifyAll();
        }
        return true;
    }

    /**
     * Copies the present bytes, at most so many. Returns their number; -1 at the end.
     *
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT
     */
    synchronized int take(long to, long mostBytes) {
        int from = (int) (taken % RING_BYTES);
        int bytes = (int) Math.min(Math.min(mostBytes, read - taken), RING_BYTES - from);
        if (closed || bytes == 0 && ended) {
            if (failure != null && !closed) {
                throw ByteWindow.unreadable(
                        path, "cannot be read (" + failure.getMessage() + ")", null);
            }
            return -1;
        }
        Memory.copy(BufferUtil.address(ring) + from, to, bytes);
        taken += bytes;
        notifyAll();
        return bytes;
    }

    /** Waits until {@link #take} has a result. Returns false when it has none in this time. */
    synchronized boolean await(long timeoutNs) {
        boolean forever = timeoutNs == Long.MAX_VALUE;
        Deadline deadline = Deadline.after(Duration.ofNanos(forever ? 0 : timeoutNs), Clock.SYSTEM);
        try {
            while (read == taken && !ended) {
                long leftNs = forever ? timeoutNs : deadline.leftNs();
                if (leftNs <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(null); // the waiting thread must stop: there is no more to read
        }
        return true;
    }

    /** Closes the pipe, which its writer notices. Idempotent. */
    @Override
    public void close() {
        FileChannel opened;
        synchronized (this) {
            boolean unused = !closed && !running;
            closed = true;
            opened = channel;
            notifyAll();
            if (unused) {
                BufferUtil.free(ring);
            }
        }
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (IOException e) {
            throw ByteWindow.unreadable(path, "cannot be closed (" + e.getMessage() + ")", null);
        }
    }
}
