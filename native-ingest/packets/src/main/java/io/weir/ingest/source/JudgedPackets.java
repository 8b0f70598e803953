package io.weir.ingest.source;

import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.packets.PacketCursor;
import java.util.Arrays;

/**
 * A capture's packets, decoded and judged by its clock, with one ahead. Frames that are no packets
 * are counted and move no clock. Packets lie in a ring: the last {@link #KEPT} that were passed
 * stay readable at their places. One thread; no allocation per packet.
 */
final class JudgedPackets {
    /** The number of passed packets that stay readable. */
    static final int KEPT = 64;

    /** A power of two: the readable ones, the one ahead, its witnesses. */
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

    /** The places of the packet ahead, and of the next one to decode. */
    private long head;

    private long end;
    private boolean hasNext;
    private long gaps;
    private long gapNs = Long.MAX_VALUE;
    private long lost;
    private long lostNs = Long.MAX_VALUE;

    JudgedPackets(PacketCursor file, CaptureStage stage, SourceClock clock, long shiftNs) {
        this.file = file;
        this.stage = stage;
        this.clock = clock;
        this.shiftNs = shiftNs;
        Arrays.setAll(headers, i -> new PacketHeaders());
    }

    /** Returns whether there is a packet ahead. */
    boolean hasNext() {
        return hasNext;
    }

    /** Returns whether there is none only because a pipe has not brought enough. */
    boolean isWaiting() {
        return !hasNext && !file.hasEnded();
    }

    /** Returns the place of the packet ahead. */
    int place() {
        return (int) head & PLACES - 1;
    }

    /** Moves past the packet ahead. */
    void pass() {
        head++;
        prepare();
    }

    /** Returns whether no packet behind the one ahead was decoded: C may go on there. */
    boolean isOneAhead() {
        return hasNext && end - head == 1;
    }

    /** Moves past the packet ahead, and looks for no other before {@link #prepare}. */
    void passToFile() {
        head++;
        hasNext = false;
    }

    /** Looks for a packet ahead if there is none: at first, or when a pipe has brought more. */
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

    /**
     * Decodes the next packet of the file. Returns false if there is none yet, or none any more.
     */
    private boolean decode() {
        int at = (int) end & PLACES - 1;
        while (next()) {
            stage.frames(file.wireLen());
            int code =
                    PacketDecoder.decode(
                            file.address(),
                            file.capLen(),
                            file.wireLen(),
                            file.linkType(),
                            headers[at]);
            if (code == PacketDecoder.IP_PACKET) {
                times[at] = file.tsNs() + shiftNs;
                place(headers[at], at);
                end++;
                return true;
            }
            stage.exclude(code, file.linkType(), headers[at]);
        }
        return false;
    }

    /** Takes from the source what the link header does not tell. */
    private void place(PacketHeaders packet, int at) {
        interfaces[at] = packet.inIf < 0 ? file.interfaceIndex() : (int) packet.inIf;
        if (packet.direction == PacketHeaders.UNKNOWN_DIRECTION) {
            packet.direction = file.direction();
        }
    }

    private boolean next() {
        boolean more = file.next();
        noteLoss();
        noteGap();
        return more;
    }

    /** A receive queue can also learn of a loss while it waits. */
    private void noteLoss() {
        if (file.lost() != lost && lostNs == Long.MAX_VALUE) {
            lostNs = clock.newestNs(); // of the earlier packets
        }
    }

    private void noteGap() {
        if (file.gaps() != gaps) {
            gaps = file.gaps();
            gapNs = clock.newestNs();
        }
    }

    /** Returns the newest time before a gap, if the packet behind it is ahead; else MAX_VALUE. */
    long takeGapNs() {
        if (!hasNext || gapNs == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long fromNs = gapNs;
        gapNs = Long.MAX_VALUE;
        return fromNs;
    }

    /** Returns whether the file has reported lost packets since {@link #takeLost}. */
    boolean isLossUntold() {
        noteLoss();
        return lostNs != Long.MAX_VALUE;
    }

    /**
     * Returns the newest packet's time at the first such report; MIN_VALUE if that was before any.
     */
    long lostNs() {
        return lostNs;
    }

    /** Returns the number of these packets. */
    long takeLost() {
        long since = file.lost() - lost;
        lost = file.lost();
        lostNs = Long.MAX_VALUE;
        return since;
    }

    PacketHeaders headers(int place) {
        return headers[place];
    }

    /** Returns its own time. */
    long tsNs(int place) {
        return times[place];
    }

    /** Returns the newest time of the source once it had come. */
    long cameNs(int place) {
        return came[place];
    }

    /** Returns a verdict of {@link SourceClock}. */
    int verdict(int place) {
        return verdicts[place];
    }

    /** Returns whether windows leave it out. */
    boolean isLeftOut(int place) {
        return verdicts[place] != SourceClock.IN_TIME;
    }

    /** Returns when it passes. A packet from the future does not wait for its time. */
    long passesNs(int place) {
        return verdicts[place] == SourceClock.FUTURE ? came[place] : times[place];
    }

    int interfaceIndex(int place) {
        return interfaces[place];
    }
}
