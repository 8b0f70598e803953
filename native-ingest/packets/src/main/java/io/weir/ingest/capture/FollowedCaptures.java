package io.weir.ingest.capture;

import io.weir.ingest.packets.PacketCursor;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The packets of a capture that goes on: of a file as it grows, and of the files after it. It looks
 * for news every {@value #LEAST_PAUSE_NS} ns at first, and in a silence less often. It goes on to
 * the next file once that has a packet, and this one has no more. One thread.
 */
public final class FollowedCaptures extends PacketCursor {
    static final long LEAST_PAUSE_NS = 2_000_000;
    private static final long MOST_PAUSE_NS = 200_000_000;

    private final Path path;
    private final FollowedCounts counts;
    private final FollowedFiles files;
    private final Clock clock = Clock.SYSTEM;

    /** The file that is read; the three are null before the first. */
    private FollowedFile followed;

    private GrowingBytes bytes;
    private CaptureFile file;

    private long packetsBefore;
    private long lostBefore;
    private long gaps;
    private long pauseNs = LEAST_PAUSE_NS;
    private long lookNs = clock.nanos();
    private boolean ended;

    /**
     * Follows files, from the oldest that is there.
     *
     * @param account a page that counts files
     */
    public FollowedCaptures(Path path, Stage account) {
        this.path = path;
        this.counts = new FollowedCounts(account);
        this.files = new FollowedFiles(FollowedPath.of(path), counts);
    }

    /**
     * Waits for the first packet.
     *
     * @throws WeirException UNREADABLE_INPUT: this thread was interrupted
     */
    public void awaitFirst() {
        while (file == null && !ended) {
            await(MOST_PAUSE_NS);
        }
        if (ended) {
            throw new WeirException(
                    ErrorCode.UNREADABLE_INPUT, path + " had no packet when it was stopped");
        }
    }

    @Override
    public boolean next() {
        if (file == null || !file.next()) {
            return false;
        }
        copyFrame(file);
        packets = packetsBefore + file.packets();
        lost = lostBefore + file.lost();
        return true;
    }

    @Override
    public boolean await(long timeoutNs) {
        long untilNs = clock.nanos() + timeoutNs;
        long nowNs = clock.nanos();
        while (nowNs <= untilNs && !ended) {
            if (nowNs >= lookNs && look()) {
                pauseNs = LEAST_PAUSE_NS;
                return true;
            }
            if (nowNs >= lookNs) {
                lookNs = nowNs + pauseNs;
                pauseNs = Math.min(2 * pauseNs, MOST_PAUSE_NS);
            }
            LockSupport.parkNanos(Math.min(lookNs, untilNs) - nowNs + 1);
            ended = Thread.currentThread().isInterrupted();
            nowNs = clock.nanos();
        }
        return ended;
    }

    /** Looks for more bytes, and for the next file. Returns whether there are some. */
    private boolean look() {
        if (file != null && bytes.grow()) {
            return true;
        }
        files.look();
        Optional<FollowedFile> next = files.next();
        if (file != null && bytes.isCut()) {
            leave();
        }
        if (next.isEmpty()) {
            return false;
        }
        if (file != null && bytes.grow()) {
            return true; // its writer closed it before it began the next
        }
        leave();
        return enter(next.get());
    }

    private boolean enter(FollowedFile next) {
        files.take(next);
        try {
            bytes = GrowingBytes.open(next.path(), next.start());
        } catch (IOException e) {
            counts.lose("deleted", 1, next.path() + ": was deleted before it was read");
            next.leave(Long.MAX_VALUE);
            return false;
        }
        try {
            file = Captures.of(next.path(), bytes);
            followed = next;
        } catch (WeirException e) {
            bytes.close();
            next.leave(Long.MAX_VALUE);
            counts.lose("overwritten", 1, next.path() + ": was overwritten before it was read");
        }
        gaps += counts.takeGap() ? 1 : 0;
        return file != null;
    }

    /** Counts and closes the file. */
    private void leave() {
        if (file == null) {
            return;
        }
        bytes.finish();
        boolean more = !file.hasEnded() && file.next();
        packetsBefore += file.packets() - (more ? 1 : 0);
        lostBefore += file.lost();
        file.notes().forEach(counts::note);
        followed.leave(bytes.sizeBytes());
        if (bytes.isCut()) {
            counts.lose("overwritten", 1, followed.path() + ": its end may be missing");
        } else if (file.ending() == Ending.WHOLE) {
            counts.read();
        } else {
            counts.lose("damaged", 1, followed.path() + ": its end is missing");
        }
        file.close();
        file = null;
    }

    @Override
    public boolean lend(long to) {
        return file != null && file.lend(to);
    }

    @Override
    public void takeBack(long from) {
        file.takeBack(from);
        packets = packetsBefore + file.packets();
    }

    @Override
    public long gaps() {
        return gaps;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public boolean followsClock() {
        return true;
    }

    @Override
    public List<String> notes() {
        return counts.notes();
    }

    @Override
    public void close() {
        ended = true;
        if (file != null) {
            counts.read(); // as far as it was there
            file.close();
            file = null;
        }
    }
}
