package io.weir.operators.node;

import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.ResultStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Drives the result stage: each turn takes what the pipelines have closed and emits what is
 * complete. One thread calls {@link #turn}: the results' own, or inline the reader's.
 */
final class ResultLoop {
    private final ResultStage stage;
    private final List<Pipeline> pipelines;
    private final List<WindowQueue> queues;
    private final Hold hold;

    /** Fair, lest a thread that turns without end never lets in who wants a change. */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final Queue<Runnable> urgent = new ConcurrentLinkedQueue<>();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong served = new AtomicLong();
    private volatile long holdAtNs;
    private volatile boolean held;
    private volatile boolean ended;
    private final List<LongConsumer> passListeners = new ArrayList<>();
    private long passedNs = Long.MIN_VALUE;

    /**
     * @param queues none when windows are handed to the stage directly
     */
    ResultLoop(ResultStage stage, List<Pipeline> pipelines, List<WindowQueue> queues, Hold hold) {
        this.stage = stage;
        this.pipelines = pipelines;
        this.queues = queues;
        this.hold = hold;
    }

    /**
     * Held in each turn, and by who changes what queries there are: so it is done between two
     * turns. Inline the reader holds it over each block, for the pipeline's windows go straight to
     * the stage there.
     */
    ReentrantLock lock() {
        return lock;
    }

    /** Told of each time that has passed, in the turn. Before the first one. */
    void addPassListener(LongConsumer listener) {
        passListeners.add(listener);
    }

    /** Something to do before any window that comes after it is emitted; any thread. */
    void first(Runnable action) {
        urgent.add(action);
    }

    /** One turn; whether there was anything to do. */
    boolean turn() {
        return turn(() -> false);
    }

    /**
     * The same, but no further than to the next windows that are due while others wait for the
     * lock: where many are, or large ones, a turn is long.
     */
    boolean turnUntilAwaited() {
        return turn(lock::hasQueuedThreads);
    }

    private boolean turn(BooleanSupplier awaited) {
        lock.lock();
        try {
            return lockedTurn(awaited);
        } finally {
            lock.unlock();
        }
    }

    private boolean lockedTurn(BooleanSupplier awaited) {
        long request = requests.get();
        // Before the queues: what was closed up to this time is in them by now.
        long watermarkNs = watermarkNs();
        int windows = 0;
        for (int q = 0; q < queues.size(); q++) {
            windows += queues.get(q).drain(stage::accept);
        }
        for (Runnable action = urgent.poll(); action != null; action = urgent.poll()) {
            action.run();
        }
        boolean news = windows > 0 || watermarkNs != passedNs || request != served.getPlain();
        if (news || stage.isHeld()) {
            boolean all = true;
            if (watermarkNs == Long.MAX_VALUE && (beforeEndNs() > passedNs || stage.isHeld())) {
                all = pass(beforeEndNs(), news, awaited); // the end says nothing of when it was
            }
            all = all && pass(watermarkNs, news, awaited);
            holdAtNs = hold.atNs(stage.settledNs());
            held = !all || stage.isHeld() && !stage.awaitsElsewhere();
            if (all) {
                served.setRelease(request);
            }
        }
        ended = passedNs == Long.MAX_VALUE;
        return news;
    }

    /** Returns whether all of it has passed. */
    private boolean pass(long watermarkNs, boolean news, BooleanSupplier awaited) {
        long before = stage.settledNs();
        passedNs = stage.pass(watermarkNs, awaited);
        boolean tells = news || stage.settledNs() != before;
        for (int l = 0; tells && l < passListeners.size(); l++) {
            passListeners.get(l).accept(stage.settledNs());
        }
        return passedNs == watermarkNs;
    }

    /** Asks for a whole turn from now on; any thread. */
    long request() {
        return requests.incrementAndGet();
    }

    /** The latest request of which all is done; any thread. */
    long served() {
        return served.getAcquire();
    }

    /** Whether more is to pass: at once, or when states have ended, which were told; any thread. */
    boolean isHeld() {
        return held;
    }

    /** As of the last turn; any thread. */
    long holdAtNs() {
        return holdAtNs;
    }

    /** Whether the last turn emitted the last rows; any thread. */
    boolean isEnded() {
        return ended;
    }

    /** Once all have ended. */
    private long beforeEndNs() {
        long least = Long.MAX_VALUE;
        for (int p = 0; p < pipelines.size(); p++) {
            least = Math.min(least, pipelines.get(p).beforeEndNs());
        }
        return least;
    }

    private long watermarkNs() {
        long least = Long.MAX_VALUE;
        for (int p = 0; p < pipelines.size(); p++) {
            least = Math.min(least, pipelines.get(p).watermarkNs());
        }
        return least;
    }
}
