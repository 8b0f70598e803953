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
 * Drives the result stage. Each turn takes the windows that the pipelines have closed and emits the
 * complete ones. One thread calls {@link #turn}: the results' own, or inline the reader's.
 */
final class ResultLoop {
    private final ResultStage stage;
    private final List<Pipeline> pipelines;
    private final List<WindowQueue> queues;
    private final ReplayBarrier barrier;

    /**
     * The lock is fair. Otherwise a thread that turns without end would never let other threads
     * change the queries.
     */
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
    ResultLoop(
            ResultStage stage,
            List<Pipeline> pipelines,
            List<WindowQueue> queues,
            ReplayBarrier barrier) {
        this.stage = stage;
        this.pipelines = pipelines;
        this.queues = queues;
        this.barrier = barrier;
    }

    /**
     * The lock is held in each turn and by threads that add or drop queries. So changes come
     * between two turns. Inline, the reader holds it over each block, because the pipeline's
     * windows go straight to the stage there.
     */
    ReentrantLock lock() {
        return lock;
    }

    /**
     * Adds a listener that is told in the turn of each time that has passed. Before the first turn.
     */
    void addPassListener(LongConsumer listener) {
        passListeners.add(listener);
    }

    /** Runs an action before any window that comes later is emitted; any thread. */
    void first(Runnable action) {
        urgent.add(action);
    }

    /** Makes one turn. Returns whether there was anything to do. */
    boolean turn() {
        return turn(() -> false);
    }

    /**
     * Makes one turn, but ends it after the next due windows if other threads wait for the lock. A
     * turn with many or large windows is long.
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
        // This is read before the queues: windows closed up to this time are in the queues by now.
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
                all = pass(beforeEndNs(), news, awaited); // MAX_VALUE does not say when the end was
            }
            all = all && pass(watermarkNs, news, awaited);
            holdAtNs = barrier.atNs(stage.settledNs());
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

    /** Requests a whole turn from now on; any thread. */
    long request() {
        return requests.incrementAndGet();
    }

    /** Returns the latest request that is fully done; any thread. */
    long served() {
        return served.getAcquire();
    }

    /**
     * Returns whether more can pass, at once or when states have ended that were told to end; any
     * thread.
     */
    boolean isHeld() {
        return held;
    }

    /** Returns the value of the last turn; any thread. */
    long holdAtNs() {
        return holdAtNs;
    }

    /** Returns the time that has passed for all rows. The results' lock. */
    long passedNs() {
        return passedNs;
    }

    /** Returns whether the last turn emitted the last rows; any thread. */
    boolean isEnded() {
        return ended;
    }

    /** Returns the last time before the end, once all have ended. */
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
