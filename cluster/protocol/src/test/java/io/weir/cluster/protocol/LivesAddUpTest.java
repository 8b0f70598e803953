package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A worker is killed now and then, in the middle of a window and of what it sends, and another
 * process of it begins, at once or after it was given up, that knows how many packets those before
 * it have read. Packets in rows and those told as lost are all that were read, to one, wherever the
 * merge is started anew. A process that does not know tells of its own packets alone.
 */
final class LivesAddUpTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final long TIMEOUT = 100;
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 24, TIMEOUT);
    private static final Set<String> BOTH = Set.of("a", "b");
    private static final int SECONDS = 20;
    private static final int ROUNDS = 200;

    private final long seed = Long.getLong("weir.seed", 31);
    private final Random random = new Random(seed);
    private final TreeMap<Integer, Told> windows = new TreeMap<>();
    private final KeptJournal kept = new KeptJournal();
    private NativeAllocator allocator;
    private MergeStage stage;
    private Set<String> expected = BOTH;

    /** The disk of each life after the first takes nothing for so many seconds. */
    private int fullFor;

    private long now;

    /** What rows of a window say. */
    private static final class Told {
        private long packets;
        private long lost;
        private double completeness;
    }

    /** A process of the worker that is killed. */
    private record Life(List<MergeMessage> sent, int fromSecond, int killedIn, long read) {}

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

    private void perhapsAnother() {
        if (random.nextInt(8) == 0) {
            end();
            start();
        }
    }

    private void accept(MergeMessage message) {
        perhapsAnother();
        stage.accept(message, now);
    }

    private void expect(Set<String> workers) {
        perhapsAnother();
        expected = workers;
        stage.expect(workers, Set.of(), now);
    }

    private void rows(RowBatch batch) {
        int second = (int) (batch.windowEndNs() / SECOND_NS) - 1;
        Told told = windows.computeIfAbsent(second, s -> new Told());
        for (int r = 0; r < batch.rows(); r++) {
            told.packets += (Long) batch.value(r, 1);
            told.lost = (Long) batch.value(r, 2);
            told.completeness = batch.real(r, 4);
        }
    }

    private int[] packets(int from, int to) {
        int[] packets = new int[to];
        Arrays.setAll(packets, s -> s < from ? 0 : 1 + random.nextInt(20));
        return packets;
    }

    private Life life(int number, long ledger, long earlier, int from, int killedIn) {
        int[] read = packets(from, Math.min(killedIn + 1, SECONDS));
        WorkerEpoch source = new WorkerEpoch("b", Integer.toString(number));
        PacketCounts counts = ExactCounts.after(ledger, earlier, read);
        List<MergeMessage> sent = new ArrayList<>(TinySource.counted(CODE, source, counts, read));
        return new Life(sent, from, killedIn, Arrays.stream(read).sum());
    }

    /** Up to where the second has passed. */
    private static List<MergeMessage> until(List<MergeMessage> messages, int second) {
        List<MergeMessage> taken = new ArrayList<>();
        boolean passed = false;
        while (!passed) {
            MergeMessage message = messages.remove(0);
            taken.add(message);
            passed =
                    message instanceof MergeMessage.Passed p
                            && p.watermarkNs() >= (second + 1) * SECOND_NS;
        }
        return taken;
    }

    /** Each life's packets in one ledger, or the last life's in another. */
    private List<Life> lives(boolean another) {
        List<Life> lives = new ArrayList<>();
        long earlier = 0;
        int from = 0;
        while (from < SECONDS) {
            int killedIn = from + 1 + random.nextInt(6);
            boolean last = killedIn >= SECONDS - 3;
            boolean apart = another && last;
            Life life =
                    life(
                            lives.size(),
                            apart ? 8 : 7,
                            apart ? 0 : earlier,
                            from,
                            last ? SECONDS : killedIn);
            lives.add(life);
            earlier += life.read();
            from = last ? SECONDS : killedIn + 1 + random.nextInt(2);
        }
        return lives;
    }

    /** Sends a second's of it, or of its last one as much as it comes to. */
    private void send(Life life, int second) {
        int roomIn = Math.min(life.fromSecond() + fullFor, SECONDS - 1);
        if (second < roomIn && life.fromSecond() > 0) {
            until(life.sent(), second); // lost, with its beginning
            return;
        }
        if (second == life.fromSecond()) {
            // Before another's window is final that it has a part of.
            accept(life.sent().remove(0));
        }
        if (second < life.killedIn()) {
            until(life.sent(), second).forEach(this::accept);
        } else {
            List<MergeMessage> left = until(life.sent(), second);
            left.subList(0, random.nextInt(left.size())).forEach(this::accept);
        }
    }

    private long round(List<Life> lives) {
        List<MergeMessage> a = new ArrayList<>();
        int[] steady = packets(0, SECONDS);
        a.addAll(TinySource.messages(CODE, new WorkerEpoch("a", "1"), 1, 9000, steady).get(0));
        for (int second = 0; second < SECONDS; second++) {
            int at = second;
            List<Life> now =
                    lives.stream().filter(l -> l.fromSecond() <= at && at <= l.killedIn()).toList();
            now.forEach(life -> send(life, at));
            boolean killed = now.isEmpty() || now.get(0).killedIn() == second;
            if (killed && random.nextBoolean()) {
                expect(random.nextBoolean() ? Set.of("a") : BOTH);
            }
            until(a, second).forEach(this::accept);
            if (killed && random.nextBoolean()) {
                stage.tick(this.now);
                this.now += 2 * TIMEOUT;
                stage.tick(this.now);
            }
            if (!killed) {
                expect(BOTH);
            }
        }
        a.forEach(this::accept);
        lives.get(lives.size() - 1).sent().forEach(this::accept);
        return Arrays.stream(steady).sum();
    }

    private long told(List<Life> lives) {
        windows.clear();
        start();
        long steady = round(lives);
        end();
        long inRows = windows.values().stream().mapToLong(w -> w.packets).sum();
        return inRows + windows.values().stream().mapToLong(w -> w.lost).sum() - steady;
    }

    @Test
    void rowsAndLossesAreAllPacketsThatAnyLifeHasRead() {
        long incomplete = 0;
        for (int round = 0; round < ROUNDS; round++) {
            LivesAddUpTest one = new LivesAddUpTest();
            one.random.setSeed(seed + round);
            List<Life> lives = one.lives(false);
            long read = lives.stream().mapToLong(Life::read).sum();
            assertEquals(read, one.told(lives), "-Dweir.seed=" + seed + ", round " + round);
            incomplete += one.windows.values().stream().filter(w -> w.completeness < 1).count();
        }
        assertTrue(incomplete > ROUNDS, incomplete + " windows lack something");
    }

    /** The disk is full when it begins anew: its first messages never come, nor its beginning. */
    @Test
    void aLifeThatBeginsOnAFullDiskTellsItsLossLater() {
        for (int round = 0; round < ROUNDS; round++) {
            LivesAddUpTest one = new LivesAddUpTest();
            one.random.setSeed(seed + round);
            one.fullFor = 1 + one.random.nextInt(2);
            List<Life> lives = one.lives(false);
            long read = lives.stream().mapToLong(Life::read).sum();
            assertEquals(read, one.told(lives), "-Dweir.seed=" + seed + ", round " + round);
        }
    }

    /** It had another outbox: what is lost of those before it nobody tells, and nothing twice. */
    @Test
    void aLifeOfAnotherLedgerTellsItsOwn() {
        for (int round = 0; round < ROUNDS; round++) {
            LivesAddUpTest one = new LivesAddUpTest();
            one.random.setSeed(seed + round);
            List<Life> lives = one.lives(true);
            long read = lives.stream().mapToLong(Life::read).sum();
            long told = one.told(lives);
            String about = "-Dweir.seed=" + seed + ", round " + round + ": " + told + " of " + read;
            assertTrue(told <= read, about);
            assertTrue(told >= lives.get(lives.size() - 1).read(), about);
        }
    }
}
