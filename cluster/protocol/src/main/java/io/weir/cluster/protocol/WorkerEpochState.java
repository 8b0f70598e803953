package io.weir.cluster.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/** The progress of a worker, as the merge knows it. */
final class WorkerEpochState {
    private static final int MOST_LIVES = 64;
    private static final long NOT_BEHIND = Long.MAX_VALUE;
    private static final long HEARD = Long.MAX_VALUE;

    private final String worker;
    private String life;
    private long nextSequence;

    /** The progress that it has reported. Others may report that it is there again. */
    private long watermarkNs = Long.MIN_VALUE;

    private boolean again;
    private long endHeard = MergeMessage.Passed.UNTOLD;
    private long beforeEndNs = Long.MIN_VALUE;
    private long reachedNs = Long.MIN_VALUE;
    private long behindSinceNs = NOT_BEHIND;
    private boolean givenUp;
    private boolean whole;

    /** True if it has reported its begin, and nothing since. */
    private boolean begun;

    private long missedUntilNs;
    private long unheardSinceNs = HEARD;
    private final Deque<String> over = new ArrayDeque<>();

    WorkerEpochState(String worker) {
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

    /** Notes that it is there, and will count. */
    private void begins() {
        begun = true;
        missedUntilNs = Long.MAX_VALUE;
    }

    /** Notes that it begins, and is waited for from now on. Others may not have reported it yet. */
    void begins(long nowNs) {
        begins();
        behindSinceNs = NOT_BEHIND;
        givenUp = false;
        unheardSinceNs = nowNs;
    }

    /** Notes that others report it. */
    void heard() {
        unheardSinceNs = HEARD;
    }

    /** Returns whether it has begun recently, and others have not reported it. */
    boolean isUnheard(long nowNs, long timeoutNs) {
        return unheardSinceNs != HEARD && nowNs - unheardSinceNs < timeoutNs;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Returns the end up to which windows lack it, as far as is known, if it has begun. */
    long missedUntilNs() {
        return missedUntilNs;
    }

    /** Notes that windows up to this end were made. */
    void made(long passedNs) {
        if (missedUntilNs == Long.MAX_VALUE
                && passedNs < Long.MAX_VALUE - AbsentWorkers.FORGOTTEN_NS) {
            missedUntilNs = passedNs + AbsentWorkers.FORGOTTEN_NS;
        }
    }

    String life() {
        return life;
    }

    /** Begins another process of the same worker, whose windows begin again. */
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

    /** Returns how many numbers were skipped before this one; negative for a repeated one. */
    long gap(long sequence) {
        long gap = sequence - nextSequence;
        if (gap >= 0) {
            nextSequence = sequence + 1;
        }
        return gap;
    }

    /** Returns whether this was one of the worker's earlier processes. */
    boolean isOver(String otherLife) {
        return over.contains(otherLife);
    }

    /** Returns whether all that it sent in this process has come, from its first message on. */
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
     * Notes that all windows that end by then have come. A shard reports its end when all workers
     * have ended. When one of them comes again, the shard goes on.
     *
     * @param heard from a shard at the end
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

    /** Returns how far it has come in any of its processes that were heard here. */
    long reachedNs() {
        return reachedNs;
    }

    /** Returns whether a message of this process, or of a later one, has come. */
    boolean hasHeardOf(String otherLife) {
        return otherLife.equals(life) || isOver(otherLife);
    }

    /** Returns whether it reported that nothing comes any more. */
    boolean hasEnded() {
        return watermarkNs() == Long.MAX_VALUE;
    }

    /** Returns what an ended shard has heard, as a number. */
    long endHeard() {
        return endHeard;
    }

    /**
     * Returns its progress and its process, as a number. Only its own messages count, so the number
     * is the same in each shard that has read as much.
     */
    long digest() {
        String all = worker + '\0' + life + '\0' + watermarkNs;
        byte[] bytes = all.getBytes(StandardCharsets.UTF_8);
        return life == null ? 0 : UUID.nameUUIDFromBytes(bytes).getMostSignificantBits();
    }

    /** Notes that a shard that had ended sends a part of a window: it goes on from where it was. */
    void goesOn() {
        if (hasEnded()) {
            watermarkNs = beforeEndNs;
            endHeard = MergeMessage.Passed.UNTOLD;
        }
    }

    /**
     * Notes that an ended worker is there again, and has sent nothing yet. Its windows are waited
     * for.
     */
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

    /** Returns its progress now, or before it ended. */
    long beforeEndNs() {
        return beforeEndNs;
    }

    /** Returns the same, in this process. */
    long lastNs() {
        return hasEnded() ? beforeEndNs : watermarkNs();
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /**
     * Returns whether it must be given up now, because it was behind others for too long.
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
