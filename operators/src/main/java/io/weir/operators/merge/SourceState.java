package io.weir.operators.merge;

import java.util.ArrayDeque;
import java.util.Deque;

/** How far a worker has come, as the merge knows it. */
final class SourceState {
    private static final int MOST_LIVES = 64;
    private static final long NOT_BEHIND = Long.MAX_VALUE;

    private String life;
    private long nextSequence;
    private long watermarkNs = Long.MIN_VALUE;
    private long beforeEndNs = Long.MIN_VALUE;
    private long behindSinceNs = NOT_BEHIND;
    private boolean givenUp;
    private boolean whole;
    private final Deque<String> over = new ArrayDeque<>();

    MergeJournal.SourceMark mark() {
        return new MergeJournal.SourceMark(life, nextSequence, watermarkNs, whole);
    }

    /**
     * @param mayBegin whether a first word may say that it begins
     */
    void restore(MergeJournal.SourceMark mark, boolean mayBegin) {
        life = mark.life();
        nextSequence = mark.nextSequence();
        if (mayBegin && nextSequence == 1) {
            begins(mark.watermarkNs());
        } else {
            passed(mark.watermarkNs());
        }
        whole = mark.whole();
    }

    String life() {
        return life;
    }

    /** Another process of the same worker, whose windows begin anew. */
    void begin(String newLife) {
        if (life != null) {
            over.addLast(life);
            if (over.size() > MOST_LIVES) {
                over.removeFirst();
            }
        }
        life = newLife;
        whole = false;
        nextSequence = 0;
        watermarkNs = Long.MIN_VALUE;
        behindSinceNs = NOT_BEHIND;
        givenUp = false;
    }

    /**
     * This life begins, with windows that end after this time. That is no end of a window, so that
     * nobody is behind it who is in the same window.
     */
    void begins(long emptyUntilNs) {
        watermarkNs = emptyUntilNs;
    }

    /** How many numbers were left out before this one; negative for one that was there before. */
    long gap(long sequence) {
        long gap = sequence - nextSequence;
        if (gap >= 0) {
            nextSequence = sequence + 1;
        }
        return gap;
    }

    /** Whether this was one of the worker's lives before. */
    boolean isOver(String otherLife) {
        return over.contains(otherLife);
    }

    /** Whether all that it sent in this life has come, from its first parcel on. */
    boolean isWhole() {
        return whole;
    }

    void whole(boolean now) {
        whole = now;
    }

    long nextSequence() {
        return nextSequence;
    }

    /**
     * All windows that end by then have come. A shard says that it has ended when all workers have;
     * when one of them comes again, it goes on.
     */
    void passed(long newWatermarkNs) {
        if (newWatermarkNs > watermarkNs || hasEnded()) {
            beforeEndNs = newWatermarkNs == Long.MAX_VALUE ? beforeEndNs : newWatermarkNs;
            watermarkNs = newWatermarkNs;
            behindSinceNs = NOT_BEHIND;
            givenUp = false;
        }
    }

    long watermarkNs() {
        return watermarkNs;
    }

    /** Whether it said that nothing comes any more. */
    boolean hasEnded() {
        return watermarkNs == Long.MAX_VALUE;
    }

    /** Whoever had ended is there again, and has sent nothing yet: what it counts is waited for. */
    void comes() {
        if (hasEnded()) {
            watermarkNs = Long.MIN_VALUE;
            behindSinceNs = NOT_BEHIND;
            givenUp = false;
        }
    }

    /** How far it was before it ended, or is. */
    long beforeEndNs() {
        return beforeEndNs;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /**
     * Whether it is given up now, having been behind others for too long.
     *
     * @param othersNs the last end of a window that any of them has passed
     */
    boolean isOverdue(long othersNs, long nowNs, long timeoutNs) {
        if (watermarkNs >= othersNs || givenUp) {
            return false;
        }
        if (behindSinceNs == NOT_BEHIND) {
            behindSinceNs = nowNs;
        }
        givenUp = nowNs - behindSinceNs >= timeoutNs;
        return givenUp;
    }
}
