package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Workers are killed, end in order, come again and are cut off from Kafka, and the merge is started
 * anew, in any order: also until nobody is there, and someone comes later. What a killed process
 * has left is sent by the next one, however late that is. Rows and losses together are the packets
 * that were read, to one, once each worker has had a window in time.
 */
final class AnyOrderAddsUpTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final long TIMEOUT = 100;
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 24, TIMEOUT);
    private static final int SECONDS = 30;
    private static final int CALM = 3;
    private static final int LAST = 4;
    private static final int ROUNDS = 200;

    private final Random random = new Random();
    private final KeptJournal kept = new KeptJournal();
    private final Map<Long, Told> windows = new TreeMap<>();
    private final List<Worker> workers = Stream.of("a", "b", "c").map(Worker::new).toList();
    private final StringBuilder story = new StringBuilder();
    private NativeAllocator allocator;
    private MergeStage stage;
    private Set<String> expected = new HashSet<>();
    private long now;
    private int restarts;

    /** A window, as its rows say it. */
    private static final class Told {
        private long packets;
        private long lost;
    }

    /** A worker, its process if there is one, and what waits to be sent. */
    private final class Worker {
        private final String name;
        private final long ledger;
        private final Deque<MergeMessage> outbox = new ArrayDeque<>();
        private List<MergeMessage> toSend = List.of();
        private int lives;
        private long read;
        private int lastSecond;
        private boolean alive;
        private boolean killed;
        private boolean cutOff;
        private boolean begins;

        /** In order, and it waits until all is sent. */
        private boolean ended;

        Worker(String name) {
            this.name = name;
            ledger = name.charAt(0);
        }

        void start(int second, int last, boolean isKilled) {
            int[] packets = new int[last + 1];
            Arrays.setAll(packets, s -> s < second ? 0 : 1 + random.nextInt(9));
            WorkerEpoch source = new WorkerEpoch(name, Integer.toString(lives++));
            PacketCounts counts = ExactCounts.after(ledger, read, packets);
            List<MergeMessage> all =
                    TinySource.passing(TinySource.counted(CODE, source, counts, packets), second);
            toSend = new ArrayList<>(all);
            read += Arrays.stream(packets).sum();
            lastSecond = last;
            alive = true;
            killed = isKilled;
            begins = true;
            story.append(name + (lives - 1) + " " + second + "-" + last + (killed ? "† " : ". "));
        }

        void second(int second) {
            if (!alive) {
                return;
            } else if (begins) {
                begins = false;
                outbox.add(toSend.remove(0)); // before another's window is final that it is in
            }
            if (second < lastSecond) {
                until(second).forEach(outbox::add);
            } else if (killed) {
                List<MergeMessage> left = until(second);
                outbox.addAll(left.subList(0, random.nextInt(left.size())));
                alive = false;
            } else {
                outbox.addAll(toSend);
                alive = false;
                ended = true;
            }
        }

        private List<MergeMessage> until(int second) {
            List<MergeMessage> taken = new ArrayList<>();
            boolean passed = false;
            while (!passed) {
                MergeMessage message = toSend.remove(0);
                taken.add(message);
                passed =
                        message instanceof MergeMessage.Passed p
                                && p.watermarkNs() >= (second + 1) * SECOND_NS;
            }
            return taken;
        }

        /** A process that ends waits for Kafka; what a killed one has left the next one sends. */
        void send() {
            while ((alive || ended) && !cutOff && !outbox.isEmpty()) {
                accept(outbox.removeFirst());
            }
            ended &= !outbox.isEmpty();
        }
    }

    private void start() {
        allocator = new NativeAllocator(1L << 26);
        stage = MergeStage.first(allocator, OPTIONS);
        stage.add(CODE, 1, this::rows);
        kept.into(stage);
        stage.expectFirst(expected);
    }

    private void end() {
        stage.close();
        allocator.close();
    }

    private void accept(MergeMessage message) {
        if (random.nextInt(20) == 0) {
            end();
            start();
            restarts++;
        }
        stage.accept(message, now);
    }

    private void rows(RowBatch batch) {
        Told told = windows.computeIfAbsent(batch.windowEndNs(), s -> new Told());
        for (int r = 0; r < batch.rows(); r++) {
            told.packets += (Long) batch.value(r, 1);
            told.lost = (Long) batch.value(r, 2);
        }
    }

    /** Those who live are expected, and for a while those who lived. */
    private void expect() {
        Set<String> sending = new HashSet<>();
        Set<String> there = new HashSet<>();
        for (Worker worker : workers) {
            boolean isThere = worker.alive || worker.ended;
            if (isThere || expected.contains(worker.name) && random.nextBoolean()) {
                there.add(worker.name);
            }
            if (isThere && !worker.outbox.isEmpty()) {
                sending.add(worker.name);
            }
        }
        expected = there;
        stage.expect(expected, sending, now);
    }

    private void second(int second, boolean calm) {
        List<Worker> order = new ArrayList<>(workers);
        Collections.shuffle(order, random);
        for (Worker worker : order) {
            if (!calm && !worker.alive && !worker.ended && random.nextInt(3) == 0) {
                int last = Math.min(SECONDS - 1, second + random.nextInt(6));
                worker.start(second, last, random.nextInt(3) > 0);
            }
        }
        for (Worker worker : order) {
            if (worker.begins) {
                worker.outbox.add(worker.toSend.remove(0));
                worker.begins = false;
            }
            worker.send();
        }
        for (Worker worker : order) {
            worker.cutOff = !calm && random.nextInt(4) == 0;
            worker.second(second);
            worker.send();
            expect();
        }
        if (!calm && random.nextInt(3) == 0) {
            now += random.nextInt(4) == 0 ? 20 * TIMEOUT : 2 * TIMEOUT;
        }
        expect();
        stage.tick(now);
    }

    private long told() {
        return windows.values().stream().mapToLong(told -> told.packets + told.lost).sum();
    }

    private void run() {
        start();
        for (Worker worker : workers) {
            worker.start(0, CALM + random.nextInt(6), random.nextInt(3) > 0);
        }
        for (int second = 0; second < SECONDS; second++) {
            second(second, second < CALM);
        }
        for (Worker worker : workers) {
            worker.cutOff = false;
            worker.send();
            if (worker.alive || worker.ended) {
                throw new AssertionError(worker.name + " goes on");
            }
            worker.start(SECONDS, SECONDS + LAST, false);
        }
        for (int second = SECONDS; second <= SECONDS + LAST; second++) {
            second(second, true);
        }
        now += 20 * TIMEOUT;
        expect();
        stage.tick(now);
        end();
    }

    @Test
    void rowsAndLossesAreAllPacketsThatWereRead() {
        long seed = Long.getLong("weir.seed", 77);
        long lost = 0;
        int restarts = 0;
        for (int round = 0; round < ROUNDS; round++) {
            AnyOrderAddsUpTest one = new AnyOrderAddsUpTest();
            one.random.setSeed(seed + round);
            one.run();
            long read = one.workers.stream().mapToLong(worker -> worker.read).sum();
            assertEquals(read, one.told(), "-Dweir.seed=" + (seed + round) + ": " + one.story);
            lost += one.windows.values().stream().mapToLong(told -> told.lost).sum();
            restarts += one.restarts;
        }
        assertTrue(lost > ROUNDS && restarts > ROUNDS, lost + " lost, " + restarts + " restarts");
    }
}
