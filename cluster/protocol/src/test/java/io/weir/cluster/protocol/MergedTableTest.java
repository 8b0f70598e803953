package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.StreamType;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * An aggregate over running totals that workers have parts of: at each tick it is over the newest
 * totals of all groups, also where it is created later, and where the second step is started anew.
 */
final class MergedTableTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final int SECONDS = 25;
    private static final int SHARDS = 2;
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 26, 1_000_000);
    private static final List<GpvLayout> LAYOUTS = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
    private static final CompiledQuery TOTALS = KernelCompiler.compile(totals(), LAYOUTS);
    private static final CompiledQuery SUMS = KernelCompiler.compile(sums(), LAYOUTS);

    private final long seed = Long.getLong("weir.seed", 17);
    private final NativeAllocator allocator = new NativeAllocator(1L << 30);

    /** By second: packets by host and port. */
    private final TreeMap<Integer, List<int[]>> packets = new TreeMap<>();

    private final TreeMap<Long, List<Object>> rows = new TreeMap<>();
    private final List<PartialSender> senders = new ArrayList<>();
    private final List<MergeStage> shards = new ArrayList<>();
    private MergeStage second;
    private KeptJournal journal;
    private boolean read;
    private String where;

    private static FoldCall fold(String name, io.weir.operators.graph.Fold fold, Expr... of) {
        return new FoldCall(name, fold, List.of(of), false, Optional.empty());
    }

    private static Query query(String name, Aggregate groups, List<String> shown) {
        List<Named> outputs = new ArrayList<>();
        for (Expr.Variable column : groups.columns()) {
            if (shown.contains(column.name())) {
                outputs.add(new Named(column.name(), column));
            }
        }
        return new Query(name, new Project(groups, outputs), Optional.empty(), "");
    }

    /** SELECT src_addr, COUNT(*) AS n, COUNT(DISTINCT dst_port) AS ports … GROUP BY src_addr. */
    private static Query totals() {
        List<Expr.Variable> columns =
                PacketColumns.all().stream().map(PacketColumns.PacketColumn::variable).toList();
        Operator.Scan scan = new Operator.Scan(StreamType.PACKETS, columns, "ts");
        Expr.Variable src = PacketColumns.find("src_addr").orElseThrow().variable();
        Expr.Variable port = PacketColumns.find("dst_port").orElseThrow().variable();
        FoldCall ports =
                new FoldCall("ports", Folds.count(), List.of(port), true, Optional.empty());
        Aggregate groups =
                new Aggregate(
                        scan,
                        Optional.empty(),
                        List.of(new Named("src_addr", src)),
                        List.of(fold("n", Folds.count()), ports),
                        Set.of());
        return query("q", groups, List.of("src_addr", "n", "ports"));
    }

    /** SELECT COUNT(*) AS hosts, SUM(n) AS packets, SUM(ports) AS pairs FROM q. */
    private static Query sums() {
        List<Expr.Variable> columns = TOTALS.query().columns();
        Operator.Scan scan =
                new Operator.Scan(StreamType.ofQuery("q"), columns, "", RowTime.WINDOW_END, true);
        Aggregate groups =
                new Aggregate(
                        scan,
                        Optional.empty(),
                        List.of(),
                        List.of(
                                fold("hosts", Folds.count()),
                                fold("packets", Folds.sum(Kind.BIGINT), columns.get(1)),
                                fold("pairs", Folds.sum(Kind.BIGINT), columns.get(2))),
                        Set.of());
        return query("a", groups, List.of("hosts", "packets", "pairs"));
    }

    private void rows(RowBatch batch) {
        assertEquals(1, batch.rows(), where);
        List<Object> row = List.of(batch.value(0, 0), batch.value(0, 1), batch.value(0, 2));
        assertEquals(null, rows.put(batch.windowEndNs(), row), where);
    }

    private List<List<MergeMessage>> sent(String worker, Random random, int hosts) {
        return TinySource.live(
                TOTALS,
                new WorkerEpoch(worker, "1"),
                SHARDS,
                SECONDS,
                (at, into) -> write(random, hosts, at, into));
    }

    private void write(Random random, int hosts, int at, BlockWriter into) {
        for (int p = random.nextInt(3) == 0 ? 0 : random.nextInt(60); p > 0; p--) {
            int host = random.nextInt(hosts);
            int port = random.nextInt(9);
            packets.computeIfAbsent(at, s -> new ArrayList<>()).add(new int[] {host, port});
            new RandomGpv(random, GpvLayout.FULL_V4, 1, at * SECOND_NS)
                    .with("src_addr", Inet.v4(0x0A000000 + host))
                    .with("dst_port", (long) port)
                    .writeTo(into, false);
        }
    }

    /** One that is created while packets flow reads all groups from its first tick on. */
    @Test
    void soItIsOnALiveEngineOfItsOwn() {
        for (int round = 0; round < 10; round++) {
            where = "-Dweir.seed=" + (seed + round);
            Random random = new Random(seed + round);
            packets.clear();
            rows.clear();
            int createdAt = random.nextInt(SECONDS / 2);
            EngineOptions options = EngineOptions.DEFAULT.forLive();
            try (LocalEngine engine = new LocalEngine(options, new Account())) {
                engine.add(TOTALS, batch -> {});
                engine.start();
                BlockWriter writer = engine.writers().get(0);
                for (int at = 0; at < SECONDS; at++) {
                    if (at == createdAt) {
                        engine.add(SUMS, this::rows);
                    }
                    write(random, 90, at, writer);
                    writer.flush((at + 1) * SECOND_NS);
                    engine.poll();
                }
                engine.awaitEnd();
            }
            assertEquals(expected().tailMap(rows.firstKey()), rows, where);
        }
        allocator.close();
    }

    private NavigableMap<Long, List<Object>> expected() {
        TreeMap<Long, List<Object>> expected = new TreeMap<>();
        Map<Integer, Set<Integer>> ports = new HashMap<>();
        long count = 0;
        for (Map.Entry<Integer, List<int[]>> at : packets.entrySet()) {
            for (int[] packet : at.getValue()) {
                ports.computeIfAbsent(packet[0], h -> new HashSet<>()).add(packet[1]);
            }
            count += at.getValue().size();
            long pairs = ports.values().stream().mapToLong(Set::size).sum();
            expected.put((at.getKey() + 1) * SECOND_NS, List.of((long) ports.size(), count, pairs));
        }
        return expected;
    }

    private void openSecond() {
        second = MergeStage.second(allocator, OPTIONS);
        second.add(TOTALS, 1, batch -> {});
        second.expectFirst(Set.of("s0", "s1"));
        if (read) {
            second.keepTable("q", 1);
            second.addRows(SUMS, 1, this::rows, false);
        }
        journal.into(second);
    }

    private void openShards() {
        for (int s = 0; s < SHARDS; s++) {
            PartialSender sender =
                    new PartialSender(
                            new WorkerEpoch("s" + s, "1"),
                            1,
                            2_000,
                            (one, message) -> second.accept(message, 0));
            MergeStage shard = MergeStage.first(allocator, OPTIONS);
            shard.add(TOTALS, 1, sender.merged(TOTALS, 1, read), true);
            shard.expectFirst(Set.of("a", "b"));
            shard.addPassListener(sender);
            senders.add(sender);
            shards.add(shard);
        }
    }

    /** The query over the totals is created. */
    private void create() {
        read = true;
        second.keepTable("q", 1);
        second.addRows(SUMS, 1, this::rows, false);
        for (int s = 0; s < SHARDS; s++) {
            shards.get(s).move("q", 1, senders.get(s).merged(TOTALS, 1, true));
        }
    }

    @Test
    void eachTickIsOverTheNewestTotalsOfAllGroups() {
        for (int round = 0; round < 40; round++) {
            where = "-Dweir.seed=" + (seed + round);
            round(new Random(seed + round), round);
        }
        allocator.close();
    }

    private void round(Random random, int round) {
        packets.clear();
        rows.clear();
        senders.clear();
        shards.clear();
        journal = new KeptJournal();
        read = round % 2 == 0;
        openSecond();
        openShards();
        List<List<MergeMessage>> ways = new ArrayList<>();
        int hosts = 1 + random.nextInt(200);
        ways.addAll(sent("a", random, hosts));
        ways.addAll(sent("b", random, hosts));
        int[] next = new int[ways.size()];
        int left = ways.stream().mapToInt(List::size).sum();
        int createAt = read ? -1 : left / 2;
        for (; left > 0; left--) {
            int way = random.nextInt(ways.size());
            while (next[way] == ways.get(way).size()) {
                way = (way + 1) % ways.size();
            }
            shards.get(way % SHARDS).accept(ways.get(way).get(next[way]++), 0);
            if (left == createAt) {
                create();
            }
            if (round % 4 > 1 && random.nextInt(10) == 0) {
                second.close();
                openSecond();
            }
        }
        second.close();
        shards.forEach(MergeStage::close);
        check(createAt);
    }

    private void check(int createAt) {
        NavigableMap<Long, List<Object>> expected = expected();
        assertTrue(!rows.isEmpty(), where);
        if (createAt < 0) {
            assertEquals(expected, rows, where);
            return;
        }
        // A shard that was ahead tells all its groups with its next tick.
        assertEquals(expected.lastEntry(), rows.lastEntry(), where);
        rows.forEach(
                (endNs, row) ->
                        assertTrue((Long) row.get(1) <= (Long) expected.get(endNs).get(1), where));
    }
}
