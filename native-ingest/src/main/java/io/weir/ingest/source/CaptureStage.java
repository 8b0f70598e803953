package io.weir.ingest.source;

import io.weir.ingest.decode.Exclusion;
import io.weir.ingest.decode.HeaderGap;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.account.Account;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import java.util.List;

/**
 * The pages {@code capture} and {@code cache} of the account. Counts are plain while packets pass,
 * and told to the account at each flush. One thread, but for {@link #notes}.
 */
final class CaptureStage {
    private final Stage capture;
    private final Stage cache;
    private final long[] excluded = new long[Exclusion.count()];
    private final Counter[] excludedTold = new Counter[Exclusion.count()];
    private final long[] turnedAway = new long[PacketGate.BEFORE + 1];
    private final Counter[] turnedAwayTold = new Counter[PacketGate.BEFORE + 1];
    private final Counter[] inPart = new Counter[HeaderGap.count()];
    private final InputNotes notes = new InputNotes();
    private long processed;
    private long dropped;

    CaptureStage(Account account) {
        capture = account.stage("capture");
        cache = account.stage("cache");
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

    /** A packet that the gate did not let in. */
    void turnAway(int verdict) {
        turnedAway[verdict]++;
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

    /** Packets that the input itself says were lost before they came into it. */
    void drop(long packets) {
        dropped += packets;
        notes.dropped.add(packets);
    }

    /** What a user should know of the packets so far. Any thread. */
    List<String> notes() {
        return notes.text();
    }

    /**
     * Tells the account.
     *
     * @param written packets that caches have written so far
     */
    void tell(long written) {
        long offered = processed + dropped;
        for (long count : excluded) {
            offered += count;
        }
        for (long count : turnedAway) {
            offered += count;
        }
        raise(capture.offered(), offered);
        raise(cache.offered(), processed);
        raise(capture.processed(), processed);
        raise(cache.processed(), written);
        if (dropped > 0) {
            raise(capture.lost(InputNotes.DROPPED), dropped);
        }
        for (int code = 0; code < excluded.length; code++) {
            if (excluded[code] > 0) {
                if (excludedTold[code] == null) {
                    excludedTold[code] = capture.excluded(Exclusion.of(code).label());
                }
                raise(excludedTold[code], excluded[code]);
            }
        }
        tell(PacketGate.OTHERS, "others_slice");
        tell(PacketGate.BEFORE, "before_takeover");
    }

    private void tell(int verdict, String reason) {
        if (turnedAway[verdict] > 0) {
            if (turnedAwayTold[verdict] == null) {
                turnedAwayTold[verdict] = capture.excluded(reason);
            }
            raise(turnedAwayTold[verdict], turnedAway[verdict]);
        }
    }

    private static void raise(Counter counter, long to) {
        counter.add(to - counter.value());
    }
}
