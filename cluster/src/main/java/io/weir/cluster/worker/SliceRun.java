package io.weir.cluster.worker;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.pipeline.ThreadEnd;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A slice that this process has, counted by a thread of its own. Where it fails it is tried again
 * after a pause, by a worker that goes on after what was sent: while Kafka is away as often as it
 * takes, else {@link #TRIES} times, and then the process gives all its slices up. Any thread.
 */
final class SliceRun {
    /** In a row. */
    static final int TRIES = 3;

    private final String name;
    private final Supplier<Worker> workers;
    private final Pauses pauses;
    private final Owner owner;
    private final Thread thread;
    private final CountDownLatch gone = new CountDownLatch(1);
    private volatile Worker worker;
    private volatile boolean ended;

    /** The thread's own. */
    private Duration pause;

    private int failed;
    private String told = "";

    /**
     * How long a slice that has failed waits: twice as long each time.
     *
     * @param first longer than the session of a member of the group: whose place was taken, since
     *     the slice is another's, has heard so by then
     */
    record Pauses(Duration first, Duration most) {
        static final Pauses DEFAULT = new Pauses(Duration.ofSeconds(10), Duration.ofMinutes(1));

        Duration after(Duration pause) {
            Duration twice = pause.multipliedBy(2);
            return twice.compareTo(most) < 0 ? twice : most;
        }
    }

    /** Whose slice it is. The slice's thread calls it. */
    interface Owner {
        void note(String text);

        /** What became of the packets, in one try. */
        void counted(List<Stage.Snapshot> account);

        /** This process cannot count the slice. */
        void failed(WeirException cause);
    }

    /**
     * @param name for people
     * @param workers makes one for each try, with nothing left of the one before
     */
    SliceRun(String name, Supplier<Worker> workers, Pauses pauses, Owner owner) {
        this.name = name;
        this.workers = workers;
        this.pauses = pauses;
        this.pause = pauses.first();
        this.owner = owner;
        this.thread = new Thread(this::run, "weir-slice-" + name);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            Optional<WeirException> failure = tried();
            while (failure.isPresent() && isTriedAgain(failure.get())) {
                failure = tried();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            owner.failed(new WeirException(ErrorCode.INTERNAL, e.toString()));
        } finally {
            ended = true;
        }
    }

    /** Why it was not counted; empty where it was, or is another's. */
    private Optional<WeirException> tried() {
        long begunNs = System.nanoTime();
        try {
            Optional<Worker> now = begin();
            if (now.isPresent()) {
                count(now.get());
            }
            return Optional.empty();
        } catch (WeirException e) {
            if (System.nanoTime() - begunNs > pauses.most().toNanos()) {
                failed = 0;
                pause = pauses.first();
                told = "";
            }
            return Optional.of(e);
        }
    }

    private synchronized Optional<Worker> begin() {
        if (gone.getCount() > 0) {
            worker = workers.get();
            return Optional.of(worker);
        }
        return Optional.empty();
    }

    private void count(Worker now) {
        try {
            var unused = now.run();
        } finally {
            owner.counted(now.account().snapshot());
        }
    }

    /** Returns when the pause is over, or the slice another's. */
    private boolean isTriedAgain(WeirException failure) throws InterruptedException {
        if (gone.getCount() == 0) {
            return false;
        }
        // Where Kafka is away, another process could not count it either.
        failed += KafkaCalls.isAway(failure) ? 0 : 1;
        if (failed >= TRIES) {
            owner.failed(failure);
            return false;
        }
        if (!failure.getMessage().equals(told)) {
            told = failure.getMessage();
            owner.note(name + " cannot be counted here, and is tried again: " + told);
        }
        long pausedMs = pause.toMillis();
        pause = pauses.after(pause);
        return !gone.await(pausedMs, TimeUnit.MILLISECONDS);
    }

    /** Who counts it now, or has counted it last. */
    Optional<Worker> worker() {
        return Optional.ofNullable(worker);
    }

    /** Whether it was counted to its end, or given up. */
    boolean hasEnded() {
        return ended;
    }

    /** It is another's from now on: nothing more is sent. Idempotent. */
    synchronized void abandon() {
        gone.countDown();
        if (worker != null) {
            worker.abandon();
        }
    }

    void awaitEnd() {
        ThreadEnd.await(thread);
    }
}
