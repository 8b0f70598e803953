package io.weir.cluster.disk;

import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.time.Deadline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Work on a disk, done in order by a thread of its own. A thread that hands work over does not wait
 * while the disk hangs. Bounded in bytes. Handed over by one thread at a time.
 */
public final class DiskWork {
    private static final int OVERHEAD_BYTES = 100;
    private static final long RETRY_MS = 20;

    /** A disk on which no work was finished for so long hangs. */
    private static final long HANGS_MS = 5_000;

    private static final class Work {
        final long bytes;
        final BooleanSupplier todo;
        final Runnable givenUp;

        Work(long bytes, BooleanSupplier todo, Runnable givenUp) {
            this.bytes = bytes;
            this.todo = todo;
            this.givenUp = givenUp;
        }
    }

    private final long limitBytes;
    private final Patience patience;
    private final BooleanSupplier takes;
    private final Thread thread;
    private final Deque<Work> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long done;
    private boolean ending;
    private Throwable failure;

    /**
     * @param limitBytes of waiting work; one piece may be longer
     * @param patience with a disk that is behind
     */
    public DiskWork(String name, long limitBytes, Patience patience) {
        this(name, limitBytes, patience, () -> true);
    }

    /**
     * @param takes whether the disk takes anything now: nobody waits for one that is full
     */
    public DiskWork(String name, long limitBytes, Patience patience, BooleanSupplier takes) {
        this.takes = takes;
        this.limitBytes = limitBytes;
        this.patience = patience;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Hands work over.
     *
     * @param todo returns whether it could be done; otherwise it is tried again
     * @param givenUp runs instead, if the end comes first
     * @return whether there was room for it
     * @throws IllegalStateException when earlier work has failed
     */
    public synchronized boolean offer(long bytes, BooleanSupplier todo, Runnable givenUp) {
        long size = bytes + OVERHEAD_BYTES;
        awaitRoom(size);
        if (failure != null) {
            throw new IllegalStateException("the disk's work has failed", failure);
        }
        if (ending || isCrowded(size)) {
            return false;
        }
        waiting.add(new Work(size, todo, givenUp));
        waitingBytes += size;
        notifyAll();
        return true;
    }

    private boolean isCrowded(long size) {
        return waitingBytes > 0 && waitingBytes + size > limitBytes;
    }

    private void awaitRoom(long size) {
        boolean interrupted = false;
        long began = patience.clock().nanos();
        for (long ms = patience.leftMs(began);
                ms > 0 && isCrowded(size) && isGoingOn() && !interrupted;
                ms = patience.leftMs(began)) {
            try {
                wait(ms);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        patience.waited(began);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isGoingOn() {
        return !ending && failure == null && takes.getAsBoolean();
    }

    private void run() {
        try {
            for (Work next = next(); next != null; next = next()) {
                if (next.todo.getAsBoolean()) {
                    remove(next);
                } else if (!retries()) {
                    giveUp();
                }
            }
        } catch (Throwable broken) {
            fail(broken);
        }
    }

    private synchronized void fail(Throwable broken) {
        failure = broken;
        notifyAll();
    }

    /** Returns the first work that is not done; null at the end. */
    private synchronized Work next() throws InterruptedException {
        while (waiting.isEmpty() && !ending) {
            wait();
        }
        return waiting.peek();
    }

    private synchronized void remove(Work work) {
        if (waiting.peek() == work) { // otherwise all was given up meanwhile
            waiting.remove();
            waitingBytes -= work.bytes;
        }
        done++;
        notifyAll();
    }

    private synchronized boolean retries() throws InterruptedException {
        Deadline deadline = Deadline.afterMs(RETRY_MS);
        while (!ending && !deadline.isOver()) {
            wait(Math.max(1, deadline.leftMs()));
        }
        return !ending;
    }

    private void giveUp() {
        List<Work> all;
        synchronized (this) {
            all = List.copyOf(waiting);
            waiting.clear();
            waitingBytes = 0;
            notifyAll();
        }
        all.forEach(work -> work.givenUp.run());
    }

    /** Waits until all work is done, as long as the disk makes progress. */
    public synchronized void flush() throws InterruptedException {
        long last = -1;
        while (isAwaited() && done != last) {
            last = done;
            Deadline deadline = Deadline.afterMs(HANGS_MS);
            while (isAwaited() && done == last && !deadline.isOver()) {
                wait(RETRY_MS);
            }
        }
    }

    /** At its end it is, until the thread has given it up. */
    private boolean isAwaited() {
        return !waiting.isEmpty() && failure == null && (ending || takes.getAsBoolean());
    }

    private boolean isFlushed() {
        try {
            flush();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /**
     * Ends the hand-over. Work that a hanging disk has not done by then is given up, except the
     * current piece.
     *
     * @return whether the thread has ended
     */
    public boolean end() {
        boolean interrupted = false;
        boolean hangs;
        synchronized (this) {
            ending = true;
            notifyAll();
            while (!isFlushed()) {
                interrupted = true;
            }
            hangs = waiting.poll() != null;
        }
        giveUp();
        if (!hangs) {
            ThreadEnd.await(thread);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !hangs;
    }
}
