package io.weir.ingest.source;

import io.weir.operators.memory.Memory;
import java.util.function.LongSupplier;

/**
 * The time of one source, and the rule that bounds it. A packet is in time, late, or from the
 * future:
 *
 * <ul>
 *   <li>It is late if it is older than the newest by more than LATENESS.
 *   <li>A packet that is newer than the newest by more than an hour (or LATENESS, if that is
 *       longer) is a jump. It is held until the next two packets are seen. If one of them comes
 *       back behind the jump, the packet is from the future and moves nothing. Otherwise, and at
 *       the end of the input, the jump stands.
 *   <li>The first packet of a file is held, too, and one of a pipe that is ahead of the wall clock.
 *       It is from the future if the next two are both older than it by more than that.
 *   <li>A pipe whose packets come at the wall clock's time is live. There, a packet that is more
 *       than ten seconds ahead of the wall clock is from the future. A packet within ten seconds of
 *       it needs no other witness.
 * </ul>
 *
 * <p>Time never goes back: after a clock was set back, packets are late until it has caught up. One
 * thread; no allocation.
 */
final class SourceClock {
    static final int IN_TIME = 0;
    static final int LATE = 1;
    static final int FUTURE = 2;

    /** The verdict is not known before more packets are seen. */
    static final int HELD = 3;

    /** The packets that must be seen before a jump is believed. */
    static final int WITNESSES = 2;

    static final long JUMP_NS = 3_600_000_000_000L;
    static final long AHEAD_NS = 10_000_000_000L;

    private static final long NONE = Long.MIN_VALUE;

    private static final int LENT_LIMIT = 8;
    private static final int LENT_CEILING = 16;
    private static final int LENT_REACH = 24;
    private static final int LENT_LATENESS = 32;

    private final long latenessNs;
    private final long reachNs;
    private final LongSupplier wallNs;
    private boolean live;
    private long ceilingNs = Long.MAX_VALUE;
    private long newestNs = NONE;

    /** Up to this time a packet moves the newest time without a further check. */
    private long limitNs = NONE;

    private SourceClock(long latenessNs, LongSupplier wallNs) {
        this.latenessNs = latenessNs;
        this.reachNs = Math.max(JUMP_NS, latenessNs);
        this.wallNs = wallNs;
    }

    /** Makes the clock of a file. */
    static SourceClock ofFile(long latenessNs) {
        return new SourceClock(latenessNs, null);
    }

    /**
     * Makes the clock of a pipe.
     *
     * @param wallNs nanoseconds since the epoch
     */
    static SourceClock ofPipe(long latenessNs, LongSupplier wallNs) {
        return new SourceClock(latenessNs, wallNs);
    }

    /**
     * Returns the newest time of all packets that moved it; {@link Long#MIN_VALUE} before the
     * first.
     */
    long newestNs() {
        return newestNs;
    }

    /** Returns whether its packets came at the wall clock's time. */
    boolean isLive() {
        return live;
    }

    /** Judges the next packet, and moves on with it. */
    int judge(long tsNs) {
        if (tsNs <= newestNs) {
            return tsNs < newestNs - latenessNs ? LATE : IN_TIME;
        }
        if (tsNs <= limitNs) {
            moveTo(tsNs);
            return IN_TIME;
        }
        return wallNs == null ? HELD : judgeByWall(tsNs);
    }

    private int judgeByWall(long tsNs) {
        long nowNs = wallNs.getAsLong();
        live |= Math.abs(tsNs - nowNs) <= AHEAD_NS;
        if (!live) {
            boolean past = newestNs == NONE && tsNs <= nowNs + AHEAD_NS;
            return past ? moveTo(tsNs) : HELD;
        }
        ceilingNs = nowNs + AHEAD_NS;
        if (tsNs > ceilingNs) {
            return FUTURE;
        }
        boolean near = newestNs != NONE && tsNs - newestNs <= reachNs;
        return near || tsNs >= nowNs - AHEAD_NS ? moveTo(tsNs) : HELD;
    }

    /**
     * Judges a packet that was held, with the packets after it.
     *
     * @param laterNs times of the next packets
     * @param seen how many of these there are
     * @param ended whether no other will be seen
     * @return HELD: it needs one more
     */
    int settle(long heldNs, long[] laterNs, int seen, boolean ended) {
        int back = 0;
        for (int i = 0; i < seen; i++) {
            back += comesBack(heldNs, laterNs[i]) ? 1 : 0;
        }
        boolean first = newestNs == NONE;
        if (back == (first ? WITNESSES : 1) || first && ended && back > 0 && back == seen) {
            return FUTURE;
        }
        boolean believed = first ? seen > back : seen == WITNESSES;
        return believed || ended ? moveTo(heldNs) : HELD;
    }

    private boolean comesBack(long heldNs, long laterNs) {
        return newestNs == NONE ? laterNs < heldNs - reachNs : laterNs <= newestNs + reachNs;
    }

    /** Moves time on without packets. */
    void passTo(long timeNs) {
        if (timeNs > newestNs) {
            moveTo(timeNs);
        }
    }

    /**
     * Lends itself to C: the struct Clock of {@code
     * native-ingest/wire/src/main/c/packets/frames.h}.
     *
     * @param to its address
     */
    void lend(long to) {
        Memory.putLong(to, newestNs);
        Memory.putLong(to + LENT_LIMIT, limitNs);
        Memory.putLong(to + LENT_CEILING, ceilingNs);
        Memory.putLong(to + LENT_REACH, reachNs);
        Memory.putLong(to + LENT_LATENESS, latenessNs);
    }

    /** Goes on where C has moved to. */
    void takeBack(long from) {
        newestNs = Memory.getLong(from);
        limitNs = Memory.getLong(from + LENT_LIMIT);
    }

    private int moveTo(long timeNs) {
        newestNs = timeNs;
        limitNs = Math.min(timeNs + reachNs, ceilingNs);
        return IN_TIME;
    }
}
