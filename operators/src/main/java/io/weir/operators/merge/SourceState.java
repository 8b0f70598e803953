package io.weir.operators.merge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/** How far a worker has come, as the merge knows it. */
final class SourceState {
    private static final int MOST_LIVES = 64;
    private static final long NOT_BEHIND = Long.MAX_VALUE;
    private static final long HEARD = Long.MAX_VALUE;

    private final String worker;
    private String life;
    private long nextSequence;

    /** As it has told; others may say that it is there again. */
    private long watermarkNs = Long.MIN_VALUE;

    private boolean again;
    private long endHeard = Parcel.Passed.UNTOLD;
    private long beforeEndNs = Long.MIN_VALUE;
    private long reachedNs = Long.MIN_VALUE;
    private long behindSinceNs = NOT_BEHIND;
    private boolean givenUp;
    private boolean whole;

    /** Whether it has said that it begins, and nothing since. */
    private boolean begun;

    private long missedUntilNs;
    private long unheardSinceNs = HEARD;
    private final Deque<String> over = new ArrayDeque<>();

    SourceState(String worker) {
        this.worker = worker;
    }

    MergeJournal.SourceMark mark() {
        return new MergeJournal.SourceMark(life, nextSequence, watermarkNs, whole, endHeard);
    }

    void restore(MergeJournal.SourceMark mark) {
        life = mark.life();
        nextSequence = mark.nextSequence();
        passed(mark.watermarkNs(), mark.heard());
        whole = mark.whole();
        if (nextSequence == 1 && watermarkNs == Long.MIN_VALUE) {
            begins();
        }
    }

    /** It is there, and will count. */
    private void begins() {
        begun = true;
        missedUntilNs = Long.MAX_VALUE;
    }

    /** The same, and is waited for from now on; others may not have told of it yet. */
    void begins(long nowNs) {
        begins();
        behindSinceNs = NOT_BEHIND;
        givenUp = false;
        unheardSinceNs = nowNs;
    }

    /** Others tell of it. */
    void heard() {
        unheardSinceNs = HEARD;
    }

    /** Whether it has begun of late, and others have not told of it. */
    boolean isUnheard(long nowNs, long timeoutNs) {
        return unheardSinceNs != HEARD && nowNs - unheardSinceNs < timeoutNs;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Up to which end windows lack it, as far as is known, where it has begun. */
    long missedUntilNs() {
        return missedUntilNs;
    }

    /** Windows up to this end were made. */
    void made(long passedNs) {
        if (missedUntilNs == Long.MAX_VALUE && passedNs < Long.MAX_VALUE - Absent.FORGOTTEN_NS) {
            missedUntilNs = passedNs + Absent.FORGOTTEN_NS;
        }
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
        begun = false;
        nextSequence = 0;
        watermarkNs = Long.MIN_VALUE;
        again = false;
        behindSinceNs = NOT_BEHIND;
        givenUp = false;
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
     *
     * @param heard of a shard at the end
     */
    void passed(long newWatermarkNs, long heard) {
        if (newWatermarkNs > watermarkNs() || hasEnded()) {
            beforeEndNs = newWatermarkNs == Long.MAX_VALUE ? beforeEndNs : newWatermarkNs;
            watermarkNs = newWatermarkNs;
            reachedNs = Math.max(reachedNs, newWatermarkNs);
            endHeard = heard;
            again = false;
            behindSinceNs = NOT_BEHIND;
            givenUp = false;
            begun = false;
        }
    }

    long watermarkNs() {
        return again ? Long.MIN_VALUE : watermarkNs;
    }

    /** How far it has come in any of its lives that were heard here. */
    long reachedNs() {
        return reachedNs;
    }

    /** Whether anything of this life, or of one after it, has come. */
    boolean hasHeardOf(String otherLife) {
        return otherLife.equals(life) || isOver(otherLife);
    }

    /** Whether it said that nothing comes any more. */
    boolean hasEnded() {
        return watermarkNs() == Long.MAX_VALUE;
    }

    /** What a shard has heard, that has ended. */
    long endHeard() {
        return endHeard;
    }

    /**
     * How far it has come, and in which life, as a number. By what it has sent alone, so that it is
     * the same in each shard that has read as much.
     */
    long digest() {
        String all = worker + '\0' + life + '\0' + watermarkNs;
        byte[] bytes = all.getBytes(StandardCharsets.UTF_8);
        return life == null ? 0 : UUID.nameUUIDFromBytes(bytes).getMostSignificantBits();
    }

    /** A shard that had ended sends a part of a window: it goes on from where it was. */
    void goesOn() {
        if (hasEnded()) {
            watermarkNs = beforeEndNs;
            endHeard = Parcel.Passed.UNTOLD;
        }
    }

    /** Whoever had ended is there again, and has sent nothing yet: what it counts is waited for. */
    void comes() {
        if (hasEnded()) {
            again = true;
            behindSinceNs = NOT_BEHIND;
            givenUp = false;
        }
    }

    /** Notes that no heartbeat tells of it any more. If it had ended, that holds again. */
    void leaves() {
        again = false;
    }

    /** Returns whether this life has ended, and no later one has sent anything. */
    boolean hasEnded(String itsLife) {
        return itsLife.equals(life) && watermarkNs == Long.MAX_VALUE;
    }

    /** How far it was before it ended, or is. */
    long beforeEndNs() {
        return beforeEndNs;
    }

    /** The same, in this life. */
    long lastNs() {
        return hasEnded() ? beforeEndNs : watermarkNs();
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
        if (watermarkNs() >= othersNs || givenUp) {
            return false;
        }
        if (behindSinceNs == NOT_BEHIND) {
            behindSinceNs = nowNs;
        }
        givenUp = nowNs - behindSinceNs >= timeoutNs;
        return givenUp;
    }
}
