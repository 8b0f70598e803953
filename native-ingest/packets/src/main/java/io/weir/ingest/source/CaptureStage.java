package io.weir.ingest.source;

import io.weir.ingest.decode.Exclusion;
import io.weir.ingest.decode.HeaderGap;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.account.Account;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The pages {@code capture}, {@code time} and {@code cache} of the account. Counts are plain while
 * packets pass, and go to the account at each flush. One thread, except {@link #notes}.
 */
final class CaptureStage {
    /** The reason for loss of packets whose block found no room in its ring. */
    static final String RING_FULL = "ring_full";

    private final Account account;
    private final Stage capture;
    private final Stage cache;
    private final long[] excluded = new long[Exclusion.count()];
    private final Counter[] excludedTold = new Counter[Exclusion.count()];
    private final long[] turnedAway = new long[PacketGate.NO_CATALOG + 1];
    private final Counter[] turnedAwayTold = new Counter[PacketGate.NO_CATALOG + 1];
    private final Counter[] inPart = new Counter[HeaderGap.count()];
    private final InputNotes notes = new InputNotes();
    private final Set<String> fileNotes = Collections.synchronizedSet(new LinkedHashSet<>());
    private final TimeMetrics times = new TimeMetrics();
    private final long latenessNs;

    /** Null until windows leave packets out. */
    private Stage time;

    /** Losses before packets came here. */
    private final List<Dropped> dropped = new ArrayList<>();

    private volatile long seenNs = Long.MIN_VALUE;
    private long processed;
    private long bytes;
    private final Counter bytesTold = new Counter();

    /** The packets that were lost for a reason, so far. */
    private static final class Dropped {
        private final String reason;
        private final Counter counter;
        private long packets;

        Dropped(String reason, Counter counter) {
            this.reason = reason;
            this.counter = counter;
        }
    }

    /**
     * @param latenessNs of the sources
     */
    CaptureStage(Account account, long latenessNs) {
        this.account = account;
        this.latenessNs = latenessNs;
        capture = account.stage("capture");
        cache = account.stage("cache");
    }

    /** Counts bytes of frames, as they were on the wire. */
    void frames(long wireBytes) {
        bytes += wireBytes;
    }

    /** Returns these bytes as of the last {@link #tell}. Any thread. */
    long bytes() {
        return bytesTold.value();
    }

    void exclude(int code, int linkType, PacketHeaders headers) {
        excluded[code]++;
        if (code == Exclusion.UNKNOWN_LINK_TYPE.code()) {
            notes.linkTypes.add(linkType);
        } else if (code == Exclusion.NOT_IP.code()) {
            notes.notIp.add(headers.foreign());
        } else if (code != Exclusion.ARP.code()) {
            notes.exclusions.add(code);
        }
    }

    /** Counts a packet that the gate did not admit. */
    void turnAway(int verdict) {
        turnedAway[verdict]++;
    }

    /** Counts packets that C has passed. They are whole. */
    void pass(long packets) {
        processed += packets;
    }

    void pass(PacketHeaders headers) {
        processed++;
        if ((headers.gap | headers.lengthFrom) != 0) {
            passInPart(headers);
        }
    }

    private void passInPart(PacketHeaders headers) {
        int gap = headers.gap;
        if (gap != HeaderGap.NONE.code()) {
            if (inPart[gap] == null) {
                inPart[gap] = capture.inPart(HeaderGap.of(gap).label());
            }
            inPart[gap].add(1);
        }
        notes.add(headers);
    }

    /** Counts packets that the input itself reports as lost before they came into it. */
    void drop(String reason, long packets) {
        if (packets == 0) {
            return;
        }
        dropped(reason).packets += packets;
        if (reason.equals(InputNotes.DROPPED)) {
            notes.dropped.add(packets);
        }
    }

    private Dropped dropped(String reason) {
        for (Dropped known : dropped) {
            if (known.reason.equals(reason)) {
                return known;
            }
        }
        Dropped added = new Dropped(reason, capture.lost(reason));
        dropped.add(added);
        return added;
    }

    /**
     * Counts a packet that passes and that windows leave out.
     *
     * @param future whether it is not too old, but from the future
     * @param byNs how far its time is from the newest one
     * @param live whether its source follows the wall clock
     */
    void leaveOut(boolean future, long byNs, boolean live) {
        if (future) {
            times.future(byNs, live);
        } else {
            times.late(byNs);
        }
    }

    /** Adds notes on a file that was not read to its end, each once. */
    void note(List<String> more) {
        fileNotes.addAll(more);
    }

    /** Returns notes on files and on the packets so far for the user. Any thread. */
    List<String> notes() {
        List<String> all = new ArrayList<>();
        synchronized (fileNotes) {
            all.addAll(fileNotes);
        }
        all.addAll(TimeNote.of(times, latenessNs));
        all.addAll(notes.text());
        return all;
    }

    /** Notes the time of the newest packet. */
    void see(long newestNs) {
        seenNs = newestNs;
    }

    /** Returns the last time that was noted. Any thread. */
    long seenNs() {
        return seenNs;
    }

    /**
     * Updates the account.
     *
     * @param written packets that caches have written so far
     * @param refused the part of them that found no room in a ring
     */
    void tell(long written, long refused) {
        raise(bytesTold, bytes);
        long offered = processed;
        // It uses no iterator, because it runs at each flush.
        for (int i = 0; i < dropped.size(); i++) {
            offered += dropped.get(i).packets;
        }
        for (long count : excluded) {
            offered += count;
        }
        for (long count : turnedAway) {
            offered += count;
        }
        raise(capture.offered(), offered);
        raise(cache.offered(), processed);
        raise(capture.processed(), processed);
        raise(cache.processed(), written - refused);
        if (refused > 0) {
            raise(cache.lost(RING_FULL), refused);
            raise(notes.ringFull, refused);
        }
        for (int i = 0; i < dropped.size(); i++) {
            raise(dropped.get(i).counter, dropped.get(i).packets);
        }
        for (int code = 0; code < excluded.length; code++) {
            if (excluded[code] > 0) {
                if (excludedTold[code] == null) {
                    excludedTold[code] = capture.excluded(Exclusion.of(code).label());
                }
                raise(excludedTold[code], excluded[code]);
            }
        }
        if (times.late() + times.future() > 0) {
            tellTimes();
        }
        tell(PacketGate.OTHERS, "others_slice", capture::excluded);
        tell(PacketGate.BEFORE, "before_takeover", capture::excluded);
        tell(PacketGate.NO_CATALOG, "no_catalog", capture::lost);
    }

    /** Updates the page that exists once windows leave packets out. */
    private void tellTimes() {
        if (time == null) {
            time = account.stage("time");
        }
        raise(time.offered(), processed);
        raise(time.processed(), processed - times.late() - times.future());
        raise(time.excluded("late"), times.late());
        raise(time.excluded("future"), times.future());
    }

    private void tell(int verdict, String reason, Function<String, Counter> counter) {
        if (turnedAway[verdict] > 0) {
            if (turnedAwayTold[verdict] == null) {
                turnedAwayTold[verdict] = counter.apply(reason);
            }
            raise(turnedAwayTold[verdict], turnedAway[verdict]);
        }
    }

    private static void raise(Counter counter, long to) {
        counter.add(to - counter.value());
    }
}
