package io.weir.cluster.merge;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether a task of the merge comes forward, and whom it waits for. The stream's thread writes, any
 * thread reads.
 */
final class TaskProgress {
    /** A task that stands still for longer says so. */
    static final long STALL_MS = 5_000;

    /** The text is for people, and made only by then. */
    private static final long SOON_MS = 1_000;

    private final String part;
    private volatile State state;

    /**
     * @param sinceMs when it came forward last, or had nothing to wait for
     * @param lookedMs when its thread came to it last
     * @param waitsFor empty: for nobody
     */
    private record State(long passedNs, long sinceMs, long lookedMs, String waitsFor) {}

    TaskProgress(String part, long nowMs) {
        this.part = part;
        this.state = new State(Long.MIN_VALUE, nowMs, nowMs, "");
    }

    /**
     * The thread has come to it.
     *
     * @param passedNs up to when its rows are made
     * @param waitsFor whom it waits for; empty for nobody
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

    /** Whether it stands still now. */
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
