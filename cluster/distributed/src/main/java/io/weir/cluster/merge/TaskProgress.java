package io.weir.cluster.merge;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The progress of a task of the merge, and the sources that it waits for. The stream's thread
 * writes, any thread reads.
 */
final class TaskProgress {
    /** A task that stands still for longer reports it. */
    static final long STALL_MS = 5_000;

    /** The text is for people, and is made only after this time. */
    private static final long SOON_MS = 1_000;

    private final String part;
    private volatile State state;

    /**
     * @param sinceMs the last progress, or the last time without a wait
     * @param lookedMs the last time that its thread came to it
     * @param waitsFor the sources that it waits for; empty for none
     */
    private record State(long passedNs, long sinceMs, long lookedMs, String waitsFor) {}

    TaskProgress(String part, long nowMs) {
        this.part = part;
        this.state = new State(Long.MIN_VALUE, nowMs, nowMs, "");
    }

    /**
     * Notes that the thread has come to it.
     *
     * @param passedNs up to when its rows are made
     * @param waitsFor the sources that it waits for; empty for none
     */
    void look(long nowMs, long passedNs, Supplier<String> waitsFor) {
        State before = state;
        boolean forward = passedNs != before.passedNs();
        if (forward || nowMs - before.sinceMs() < SOON_MS) {
            state = new State(passedNs, forward ? nowMs : before.sinceMs(), nowMs, "");
            return;
        }
        String now = waitsFor.get();
        state = new State(passedNs, now.isEmpty() ? nowMs : before.sinceMs(), nowMs, now);
    }

    /** Returns the stall if it stands still now. */
    Optional<MergeStall> stall(long nowMs) {
        State now = state;
        if (nowMs - now.lookedMs() >= STALL_MS) {
            return Optional.of(
                    new MergeStall(part, (nowMs - now.lookedMs()) / 1000, "its thread to go on"));
        }
        long ms = nowMs - now.sinceMs();
        return ms >= STALL_MS && !now.waitsFor().isEmpty()
                ? Optional.of(new MergeStall(part, ms / 1000, now.waitsFor()))
                : Optional.empty();
    }
}
