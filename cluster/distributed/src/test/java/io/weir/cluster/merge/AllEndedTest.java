package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.kafka.heartbeat.HeardWorkers;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.operators.time.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Workers end in order, one after the other, and some begin again. Shards read windows and hear
 * heartbeats late, in any order, and are started anew. Once all have ended and all was read, the
 * last rows come within 15 seconds, and running totals have each packet.
 */
final class AllEndedTest {
    private static final int ROUNDS = 150;
    private static final int SHARDS = 2;
    private static final long STEP_MS = 50;
    private static final long BEAT_MS = 500;
    private static final long TIMEOUT_NS = 10_000_000_000L;
    private static final long WITHIN_MS = 15_000;
    private static final String TOTALS =
            "CREATE QUERY tot AS SELECT src_addr, COUNT(*) AS n FROM packets GROUP BY src_addr;"
                    + "CREATE QUERY hidden AS SELECT COUNT(*) AS n FROM packets;"
                    + "CREATE QUERY sums AS SELECT SUM(n) AS s FROM tot;";
    private static final Pattern KEYED =
            Pattern.compile("tot: .*\"src_addr\":\"([0-9.]+)\",\"n\":(\\d+)}.*");
    private static final Pattern ALONE = Pattern.compile("(hidden|sums): .*\"(?:n|s)\":(\\d+)}.*");

    private final Random random = new Random();
    private final StringBuilder story = new StringBuilder();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Deque<MergeMessage>> topic = new ArrayList<>();
    private final List<Beat> beats = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private long nowMs = 1_000_000;
    private MergeBench merge;
    private HeardWorkers heard;

    /** A heartbeat on its way. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Beat(long atMs, byte[] bytes) {}

    /** What a worker does in the course of its lives. */
    private final class Worker {
        private final String name;
        private int lives;
        private long packets;
        private String life;
        private List<List<MergeMessage>> toSend = List.of();
        private Optional<Long> passedNs = Optional.empty();
        private long startMs;
        private long nextMs;
        private long nextBeatMs;
        private long stepMs;
        private long endMs;
        private int second;

        Worker(String name, int lives) {
            this.name = name;
            this.lives = lives;
            startMs = nowMs + random.nextInt(4_000);
        }

        boolean isOver() {
            return lives == 0 && life == null;
        }

        private void start() {
            lives--;
            life = name + lives;
            int[] counts = new int[1 + random.nextInt(4)];
            Arrays.setAll(counts, s -> 1 + random.nextInt(30));
            packets += Arrays.stream(counts).sum();
            toSend = merge.sent(name, life, true, counts);
            toSend.forEach(of -> send(topic.get(toSend.indexOf(of)), of.remove(0)));
            second = 0;
            stepMs = 1L + random.nextInt(1_500);
            nextMs = nowMs + stepMs;
            nextBeatMs = nowMs;
            endMs = Long.MAX_VALUE;
            story.append(" " + life + " begins at " + (nowMs - 1_000_000));
        }

        private void send(Deque<MergeMessage> to, MergeMessage message) {
            to.add(message);
            if (message instanceof MergeMessage.Passed passed && !passed.isBeginning()) {
                passedNs = Optional.of(passed.watermarkNs());
            }
        }

        void step() {
            if (life == null && lives > 0 && nowMs >= startMs) {
                start();
            } else if (life == null) {
                return;
            }
            if (nowMs >= nextMs && endMs == Long.MAX_VALUE) {
                nextMs += stepMs;
                sendSecond();
            }
            boolean last = nowMs >= endMs;
            if (last || nowMs >= nextBeatMs) {
                nextBeatMs = nowMs + BEAT_MS;
                long waiting = !last && random.nextInt(3) == 0 ? 1 : 0;
                beat(HeardWorkers.beat(name, life, waiting, passedNs, last));
            }
            if (last) {
                story.append(", ended at " + (nowMs - 1_000_000) + ";");
                life = null;
                startMs = nowMs + random.nextInt(5_000);
            }
        }

        private void sendSecond() {
            for (int shard = 0; shard < SHARDS; shard++) {
                for (MergeMessage message : MergeBench.take(toSend.get(shard), second)) {
                    send(topic.get(shard), message);
                }
            }
            second++;
            if (toSend.get(0).isEmpty()) {
                endMs = nowMs + random.nextInt(1_000);
            }
        }
    }

    /** Some are late, and each comes after the one before. */
    private void beat(byte[] bytes) {
        long lateMs = random.nextInt(4) == 0 ? random.nextInt(6_000) : random.nextInt(100);
        long lastMs = beats.isEmpty() ? 0 : beats.get(beats.size() - 1).atMs();
        beats.add(new Beat(Math.max(lastMs, nowMs + lateMs), bytes));
    }

    private void hear() {
        while (!beats.isEmpty() && beats.get(0).atMs() <= nowMs) {
            heard.hears(beats.remove(0).bytes());
        }
        merge.world().workers(heard.awaited());
        merge.world().lives(heard.lives());
    }

    private void step(long nextServerMs) {
        workers.forEach(Worker::step);
        if (nowMs >= nextServerMs) {
            beat(HeardWorkers.server());
        }
        hear();
        for (int shard = 0; shard < SHARDS; shard++) {
            Deque<MergeMessage> unread = topic.get(shard);
            boolean stands = random.nextInt(3) > 0;
            for (int n = stands ? 0 : random.nextInt(40); n > 0 && !unread.isEmpty(); n--) {
                merge.shard(shard).process(MergeMessageCodec.bytes(unread.remove()));
            }
        }
        if (random.nextInt(200) == 0) {
            int which = random.nextInt(SHARDS + 1);
            (which == SHARDS ? merge.second() : merge.shard(which)).restart();
            story.append(" restart of " + which + " at " + (nowMs - 1_000_000) + ";");
        }
        merge.tick();
        merge.world().pass(STEP_MS);
        nowMs += STEP_MS;
        clock.pass(Duration.ofMillis(STEP_MS));
    }

    private boolean isRead() {
        return workers.stream().allMatch(Worker::isOver) && topic.stream().allMatch(Deque::isEmpty);
    }

    private Map<String, Long> newest() {
        Map<String, Long> groups = new TreeMap<>();
        Map<String, Long> newest = new TreeMap<>();
        for (String row : merge.rows()) {
            Matcher keyed = KEYED.matcher(row);
            Matcher alone = ALONE.matcher(row);
            if (keyed.matches()) {
                groups.put(keyed.group(1), Long.parseLong(keyed.group(2)));
            } else if (alone.matches()) {
                newest.put(alone.group(1), Long.parseLong(alone.group(2)));
            }
        }
        newest.put("tot", groups.values().stream().mapToLong(n -> n).sum());
        return newest;
    }

    private void run(long seed) {
        random.setSeed(seed);
        heard = new HeardWorkers(clock);
        try (MergeBench bench = new MergeBench(SHARDS, TIMEOUT_NS, Map.of(), TOTALS)) {
            merge = bench;
            for (int shard = 0; shard < SHARDS; shard++) {
                topic.add(new ArrayDeque<>());
            }
            for (String name : List.of("a", "b", "c").subList(0, 1 + random.nextInt(3))) {
                workers.add(new Worker(name, 1 + random.nextInt(2)));
            }
            long nextServerMs = nowMs;
            while (!isRead()) {
                step(nextServerMs);
                nextServerMs += nowMs > nextServerMs ? BEAT_MS : 0;
            }
            long all = workers.stream().mapToLong(worker -> worker.packets).sum();
            Map<String, Long> wanted = Map.of("tot", all, "hidden", all, "sums", all);
            long endMs = nowMs + WITHIN_MS;
            while (nowMs < endMs && !newest().equals(wanted)) {
                step(nextServerMs);
                nextServerMs += nowMs > nextServerMs ? BEAT_MS : 0;
            }
            assertEquals(
                    new TreeMap<>(wanted),
                    newest(),
                    "-Dweir.seed=" + seed + " with one round:" + story);
        }
    }

    @Test
    void theLastRowsCome() {
        long seed = Long.getLong("weir.seed", 71);
        for (int round = 0; round < ROUNDS; round++) {
            new AllEndedTest().run(seed + round);
        }
    }
}
