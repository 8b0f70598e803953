package io.weir.bench.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that prepare, and then all work at once; their time by the clock is measured. */
final class Team {
    /** The work of one thread, all on that thread. */
    interface Member extends AutoCloseable {
        /** Prepares; not measured. */
        void prepare() throws Exception;

        /** Works; measured. */
        void work();

        /** Not measured. */
        @Override
        void close();
    }

    private Team() {}

    /** Returns the time from when all are ready to when the last has finished. */
    static long run(List<? extends Member> members) {
        CyclicBarrier barrier = new CyclicBarrier(members.size());
        ExecutorService threads = Executors.newFixedThreadPool(members.size());
        try {
            List<Future<long[]>> futures = new ArrayList<>();
            members.forEach(m -> futures.add(threads.submit(() -> timed(m, barrier))));
            long begin = Long.MAX_VALUE;
            long end = Long.MIN_VALUE;
            for (Future<long[]> future : futures) {
                long[] took = future.get();
                begin = Math.min(begin, took[0]);
                end = Math.max(end, took[1]);
            }
            return end - begin;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdown();
        }
    }

    private static long[] timed(Member member, CyclicBarrier barrier) throws Exception {
        try (member) {
            member.prepare();
            barrier.await();
            long begin = System.nanoTime();
            member.work();
            return new long[] {begin, System.nanoTime()};
        }
    }
}
