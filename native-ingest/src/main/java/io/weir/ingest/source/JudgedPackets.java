package io.weir.ingest.source;

import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.packets.PacketCursor;
import java.util.Arrays;

/**
 * A capture's packets, decoded and judged by its clock, with one ahead; frames that are no packets
 * are counted and move no clock. They lie in a ring: the last {@link #KEPT} that were passed over
 * stay readable at their places. One thread; no allocation per packet.
 */
final class JudgedPackets {
    /** So many that were passed over may be looked at. */
    static final int KEPT = 64;

    /** A power of two: those that are kept, the one ahead, its witnesses. */
    private static final int PLACES = 2 * KEPT;

    private final PacketCursor file;
    private final CaptureStage stage;
    private final long shiftNs;
    private final SourceClock clock;
    private final PacketHeaders[] headers = new PacketHeaders[PLACES];
    private final long[] times = new long[PLACES];
    private final long[] came = new long[PLACES];
    private final int[] verdicts = new int[PLACES];
    private final int[] interfaces = new int[PLACES];
    private final long[] witnesses = new long[SourceClock.WITNESSES];

    /** Of the packet ahead, and of the next that is decoded. */
    private long head;

    private long end;
    private boolean hasNext;
    private long lost;
    private long lostNs = Long.MAX_VALUE;

    JudgedPackets(PacketCursor file, CaptureStage stage, SourceClock clock, long shiftNs) {
        this.file = file;
        this.stage = stage;
        this.clock = clock;
        this.shiftNs = shiftNs;
        Arrays.setAll(headers, i -> new PacketHeaders());
    }

    /** Whether there is a packet ahead. */
    boolean hasNext() {
        return hasNext;
    }

    /** Whether that is only since a pipe has not brought enough. */
    boolean isWaiting() {
        return !hasNext && !file.hasEnded();
    }

    /** The place of the packet ahead. */
    int place() {
        return (int) head & PLACES - 1;
    }

    /** Moves over the packet ahead. */
    void pass() {
        head++;
        prepare();
    }

    /** Looks for a packet ahead, where there is none: at first, or when a pipe has brought more. */
    void prepare() {
        hasNext = false;
        if (head == end && !decode()) {
            return;
        }
        int at = place();
        int verdict = clock.judge(times[at]);
        if (verdict == SourceClock.HELD) {
            verdict = settle(at);
        }
        if (verdict != SourceClock.HELD) {
            verdicts[at] = verdict;
            came[at] = clock.newestNs() == Long.MIN_VALUE ? times[place(1)] : clock.newestNs();
            hasNext = true;
        }
    }

    private int settle(int at) {
        int seen = 0;
        int verdict = SourceClock.HELD;
        while (verdict == SourceClock.HELD) {
            boolean more = seen < SourceClock.WITNESSES && (end - head > seen + 1 || decode());
            if (!more && !file.hasEnded()) {
                return SourceClock.HELD;
            }
            if (more) {
                witnesses[seen] = times[place(++seen)];
            }
            verdict = clock.settle(times[at], witnesses, seen, !more);
        }
        return verdict;
    }

    private int place(int ahead) {
        return (int) (head + ahead) & PLACES - 1;
    }

    /** The next packet of the file; false where there is none yet, or none any more. */
    private boolean decode() {
        int at = (int) end & PLACES - 1;
        while (next()) {
            int code =
                    PacketDecoder.decode(
                            file.address(),
                            file.capLen(),
                            file.wireLen(),
                            file.linkType(),
                            headers[at]);
            if (code == PacketDecoder.IP_PACKET) {
                times[at] = file.tsNs() + shiftNs;
                interfaces[at] = file.interfaceIndex();
                end++;
                return true;
            }
            stage.exclude(code, file.linkType(), headers[at]);
        }
        return false;
    }

    private boolean next() {
        boolean more = file.next();
        if (file.lost() != lost && lostNs == Long.MAX_VALUE) {
            lostNs = clock.newestNs(); // of the packets before
        }
        return more;
    }

    /** Whether the file has told of lost packets since {@link #takeLost}. */
    boolean isLossUntold() {
        return lostNs != Long.MAX_VALUE;
    }

    /** The newest packet's time when it did so first; MIN_VALUE where that was before any. */
    long lostNs() {
        return lostNs;
    }

    /** How many these are. */
    long takeLost() {
        long since = file.lost() - lost;
        lost = file.lost();
        lostNs = Long.MAX_VALUE;
        return since;
    }

    PacketHeaders headers(int place) {
        return headers[place];
    }

    /** Its own time. */
    long tsNs(int place) {
        return times[place];
    }

    /** The newest time of the source once it had come. */
    long cameNs(int place) {
        return came[place];
    }

    /** One of {@link SourceClock}. */
    int verdict(int place) {
        return verdicts[place];
    }

    /** Whether windows leave it out. */
    boolean isLeftOut(int place) {
        return verdicts[place] != SourceClock.IN_TIME;
    }

    /** When it passes: one from the future does not wait for its time. */
    long passesNs(int place) {
        return verdicts[place] == SourceClock.FUTURE ? came[place] : times[place];
    }

    int interfaceIndex(int place) {
        return interfaces[place];
    }
}
