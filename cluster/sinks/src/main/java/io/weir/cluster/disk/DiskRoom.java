package io.weir.cluster.disk;

import io.weir.operators.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes calls on a disk, and knows whether the disk takes them. A full disk is seen by a call that
 * fails. A mapped page that the disk does not have is a failure, too. After a failure the disk is
 * asked again as soon as it has some room, and every few seconds besides. The disk's thread; {@link
 * #fault} is for any.
 */
public final class DiskRoom {
    /** Free bytes do not tell all: of a quota they say nothing. */
    private static final long ASK_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long SOON_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Path directory;
    private final Clock clock;
    private final Consumer<Optional<DiskFault>> onChange;
    private long failedNs;
    private volatile DiskFault fault;
    private volatile String words = "";

    /** Calls that write. */
    @FunctionalInterface
    public interface Call {
        void run() throws IOException;
    }

    /**
     * @param directory on that disk
     * @param clock times the pauses after a failure
     * @param onChange told each time that the disk begins not to take what it is given, and, by
     *     empty, that it takes it again
     */
    public DiskRoom(Path directory, Clock clock, Consumer<Optional<DiskFault>> onChange) {
        this.directory = directory;
        this.clock = clock;
        this.onChange = onChange;
    }

    /** The reason why the last call failed; empty if it did not. */
    public Optional<DiskFault> fault() {
        return Optional.ofNullable(fault);
    }

    /** The system's words for the last failure. */
    public String words() {
        return words;
    }

    /** Makes a call. If it returns false, the whole call has to be tried again. */
    public boolean isDone(Call call) {
        if (fault != null && !isWorthATry()) {
            return false;
        }
        try {
            call.run();
        } catch (IOException e) {
            failed(e);
            return false;
        } catch (UncheckedIOException e) {
            failed(e.getCause());
            return false;
        } catch (InternalError e) { // by the JVM, perhaps after the store that it is of
            failed(new IOException(e));
            return false;
        }
        if (fault != null) {
            fault = null;
            onChange.accept(Optional.empty());
        }
        return true;
    }

    private boolean isWorthATry() {
        long agoNs = clock.nanos() - failedNs;
        return agoNs > ASK_NS
                || agoNs > SOON_NS
                        && (fault != DiskFault.FULL
                                || DiskSpace.freeBytes(directory) >= DiskSpace.LEAST_BYTES);
    }

    /** A call has failed that was made elsewhere. */
    public void failed(IOException why) {
        DiskFault now = DiskFault.of(why, directory);
        failedNs = clock.nanos();
        words = String.valueOf(why.getMessage());
        if (now != fault) {
            fault = now;
            onChange.accept(Optional.of(now));
        }
    }
}
