package io.weir.cluster.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.outbox.OutboxNote;
import io.weir.cluster.outbox.OutboxReader;
import io.weir.cluster.protocol.PacketCounts;
import io.weir.cluster.wire.OutboxRow;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker is killed at any point of what it does with a turn's rows, several times. Packets in the
 * rows that its outbox has, and those that the first rows of each process tell as lost, are all
 * that its processes have read, by each of its queries.
 */
final class LossLedgerTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int ROUNDS = 60;
    private static final int LIVES = 6;
    private static final String LAST = "last of its window";

    private static final List<Query> QUERIES =
            List.of(query("seconds", 1), query("twos", 2), query("threes", 3));

    @TempDir private Path directory;
    private final long seed = Long.getLong("weir.seed", 23);
    private final Random random = new Random(seed);
    private boolean dies;
    private int killed;

    /** The process has ended. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static Query query(String name, int seconds) {
        String sql =
                "CREATE QUERY "
                        + (name + " AS SELECT COUNT(*) AS n FROM packets")
                        + (" GROUP BY TUMBLE(ts, INTERVAL '" + seconds + "' SECOND)");
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        return node.load(node.frontend().parse(sql + ";")).queries().get(0);
    }

    /** What a life has read so far, by second; those before have read so many. */
    private static final class Read implements PacketCounts {
        private final TreeMap<Long, Long> packets = new TreeMap<>();
        private final long earlier;

        Read(long earlier) {
            this.earlier = earlier;
        }

        void second(long second, long more) {
            packets.put(second * SECOND_NS, more);
        }

        long all() {
            return before(Long.MAX_VALUE);
        }

        @Override
        public long before(long timeNs) {
            return packets.headMap(timeNs).values().stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public long lateBefore(long timeNs) {
            return 0;
        }

        @Override
        public long afterAllNs() {
            return packets.isEmpty() ? Long.MIN_VALUE : packets.lastKey() + SECOND_NS;
        }

        @Override
        public boolean goesOn() {
            return false;
        }

        @Override
        public long ledger() {
            return 5;
        }

        @Override
        public long earlier() {
            return earlier;
        }
    }

    @Test
    void rowsAndWhatTheyTellAreAllThatWasRead() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Path files = directory.resolve("" + round);
            long read = 0;
            long second = 0;
            for (int life = 0; life < LIVES; life++) {
                dies = life < LIVES - 1;
                Read own = new Read(read);
                long next = second + 7;
                try (Outbox outbox =
                        new Outbox(
                                files, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless())) {
                    live(outbox, own, second, next);
                } catch (Killed end) {
                    killed++;
                }
                read += own.all();
                second = next;
            }
            Map<String, Long> told = told(files);
            for (Query query : QUERIES) {
                String about = query.name() + ", round " + round + ", -Dweir.seed=" + seed;
                assertEquals(read, told.get(query.name()), about);
            }
        }
        assertTrue(killed > ROUNDS, killed + " killed");
    }

    /**
     * What a turn writes beside the outbox is a little for each window, and not for each window all
     * queries; and the next process knows each of them.
     */
    @Test
    void whatIsKeptOfAWindowDoesNotGrowWithTheQueries() throws Exception {
        int queries = 1_000;
        int turns = 20;
        List<Definition> all = new ArrayList<>();
        for (int q = 0; q < queries; q++) {
            all.add(new Definition(query("q" + q, 1), 1, 1));
        }
        long written = 0;
        Read read = new Read(0);
        try (Outbox outbox =
                new Outbox(directory, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless())) {
            OutboxNote note = outbox.note("told");
            LossLedger told = new LossLedger(note);
            told.counted(read);
            all.forEach(told::attached);
            var unused = told.begin(true, (query, packets) -> {});
            for (int turn = 0; turn < turns; turn++) {
                read.second(turn, 7);
                for (Definition query : all) {
                    told.window(query.name(), 1, (turn + 1) * SECOND_NS);
                    long before = note.bytes();
                    assertTrue(told.keep(outbox.next()));
                    outbox.append(new byte[1]);
                    boolean adds = note.bytes() > before;
                    written += adds ? note.bytes() - before : note.bytes();
                }
            }
        }
        long windows = (long) queries * turns;
        assertTrue(written < 200 * windows, written + " bytes for " + windows + " windows");
        Read next = new Read(read.all() + 3);
        try (Outbox outbox =
                new Outbox(directory, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless())) {
            LossLedger told = new LossLedger(outbox.note("told"));
            told.counted(next);
            all.forEach(told::attached);
            Map<String, Long> lacking = new HashMap<>();
            told.begin(true, lacking::put);
            assertEquals(queries, lacking.size());
            assertEquals(Set.of(3L), Set.copyOf(lacking.values()));
        }
    }

    /** The merge tells what its windows lack; here it is known how many packets that is. */
    @Test
    void whatWindowsOfTheMergeLackIsKnownToo() throws Exception {
        Definition merged = new Definition(query("merged", 1), 1, 1);
        Read read = new Read(0);
        try (Outbox outbox =
                new Outbox(directory, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless())) {
            LossLedger told = new LossLedger(outbox.note("told"));
            told.counted(read);
            told.leaves(merged);
            assertEquals(0, told.begin(true, (query, packets) -> {}));
            read.second(0, 7);
            told.passed(SECOND_NS);
            assertTrue(told.keep(OutboxNote.ALWAYS));
            read.second(1, 5); // in no window that has left
        }
        for (int life = 0; life < 2; life++) {
            Read next = new Read(read.all());
            Map<String, Long> lacking = new HashMap<>();
            try (Outbox outbox =
                    new Outbox(
                            directory, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless())) {
                LossLedger told = new LossLedger(outbox.note("told"));
                told.counted(next);
                told.leaves(merged);
                assertEquals(life == 0 ? 5 : 0, told.begin(true, lacking::put));
            }
            assertEquals(Map.of(), lacking);
        }
    }

    private void live(Outbox outbox, Read read, long from, long to) {
        Map<String, Long> lacking = new HashMap<>();
        LossLedger told = new LossLedger(outbox.note("told"));
        FiredRows rows = new FiredRows(outbox, new Conditions(outbox.note("conditions")), told);
        told.counted(read);
        QUERIES.forEach(query -> told.attached(new Definition(query, 1, 1)));
        perhapsKilled();
        told.begin(true, lacking::put);
        Map<String, Long> begunNs = new HashMap<>();
        for (long second = from; second < to; second++) {
            read.second(second, 1 + random.nextInt(20));
            perhapsKilled();
            long endNs = (second + 1) * SECOND_NS;
            for (Query query : QUERIES) {
                long sizeNs = query.aggregate().orElseThrow().window().orElseThrow().sizeNs();
                boolean ends = endNs % sizeNs == 0 || second + 1 == to;
                if (ends) {
                    long beganNs = begunNs.getOrDefault(query.name(), Long.MIN_VALUE);
                    long packets = read.before(endNs) - read.before(beganNs);
                    begunNs.put(query.name(), endNs);
                    Long lost = lacking.remove(query.name());
                    rows(rows, query.name(), packets + (lost == null ? 0 : lost), endNs);
                }
            }
            perhapsKilled();
            told.passed(second + 1 == to ? Long.MAX_VALUE : endNs);
            rows.end();
            perhapsKilled();
        }
    }

    /** Some of its rows say nothing of packets. */
    private void rows(FiredRows rows, String query, long packets, long endNs) {
        for (int row = random.nextInt(3); row >= 0; row--) {
            perhapsKilled();
            rows.add(entry(query, row == 0 ? LAST + packets : "row"), row > 0);
        }
        if (random.nextInt(6) == 0) {
            rows.fired();
        }
        perhapsKilled();
        rows.window(query, 1, endNs);
    }

    private static byte[] entry(String query, String text) {
        return OutboxRow.newBuilder()
                .setFormat(1)
                .setQuery(query)
                .setValue(ByteString.copyFrom(text, UTF_8))
                .build()
                .toByteArray();
    }

    private static Map<String, Long> told(Path files) throws Exception {
        Map<String, Long> told = new HashMap<>();
        try (Outbox outbox =
                        new Outbox(
                                files, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless());
                OutboxReader reader = outbox.reader()) {
            reader.seek(0);
            Optional<OutboxReader.Entry> entry = reader.next();
            for (; entry.isPresent(); entry = reader.next()) {
                OutboxRow row = OutboxRow.parseFrom(entry.get().bytes());
                String text = row.getValue().toStringUtf8();
                if (text.startsWith(LAST)) {
                    long packets = Long.parseLong(text.substring(LAST.length()));
                    told.merge(row.getQuery(), packets, Long::sum);
                }
            }
        }
        return told;
    }

    private void perhapsKilled() {
        if (dies && random.nextInt(60) == 0) {
            throw new Killed();
        }
    }
}
