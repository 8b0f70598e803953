package io.weir.ingest.source;

import io.weir.ingest.decode.Exclusion;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.account.Account;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The pages {@code capture} and {@code cache} of the account. Counts are plain while packets pass,
 * and told to the account at each flush. One thread.
 */
final class CaptureStage {
    private final Stage capture;
    private final Stage cache;
    private final long[] excluded = new long[Exclusion.count()];
    private final Counter[] excludedTold = new Counter[Exclusion.count()];
    private final long[] turnedAway = new long[PacketGate.BEFORE + 1];
    private final Counter[] turnedAwayTold = new Counter[PacketGate.BEFORE + 1];
    private final BitSet notRead = new BitSet();
    private long processed;
    private long lengthsFromWire;

    CaptureStage(Account account) {
        capture = account.stage("capture");
        cache = account.stage("cache");
    }

    void exclude(int code, int linkType) {
        excluded[code]++;
        if (code == Exclusion.UNKNOWN_LINK_TYPE.code()) {
            notRead.set(linkType);
        }
    }

    /** LINKTYPE_ values of packets that were excluded since they are not read, from the least. */
    IntStream linkTypesNotRead() {
        return notRead.stream();
    }

    /** A packet that the gate did not let in. */
    void turnAway(int verdict) {
        turnedAway[verdict]++;
    }

    void pass(PacketHeaders headers) {
        processed++;
        if (headers.lengthFromWire) {
            lengthsFromWire++;
        }
    }

    /** Packets whose IP length was taken from the wire. */
    long lengthsFromWire() {
        return lengthsFromWire;
    }

    /**
     * Tells the account.
     *
     * @param written packets that caches have written so far
     */
    void tell(long written) {
        long offered = processed;
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
