package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.protocol.TestShards;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * on_overflow = 'topk' on several workers, each with packets and a memory of its own, merged in
 * shards and after them: what rows say of what was left out holds against exact counts of all.
 */
@Timeout(300)
final class HeaviestMergeTest {
    private static final int RUNS = Integer.getInteger("weir.test.topk", 10);
    private static final MergeStage.Options MERGE =
            new MergeStage.Options(64L << 20, Long.MAX_VALUE / 100);

    private final List<Interpreter.Event> events = new ArrayList<>();
    private final List<Interpreter.Output> rows = new ArrayList<>();

    @Test
    void whatWorkersHaveLeftOutIsTold() {
        long base = Long.getLong("weir.seed", 1);
        int leftOut = 0;
        for (long seed = base; seed < base + RUNS; seed++) {
            try {
                leftOut += new HeaviestMergeTest().run(seed);
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
        assertTrue(leftOut > RUNS, leftOut + " windows that lack groups");
    }

    private int run(long seed) {
        Random random = new Random(seed);
        int workers = 1 + random.nextInt(3);
        int shards = 1 + random.nextInt(4);
        EngineOptions options =
                HeaviestTest.OPTIONS.withShape(1, 1 + random.nextInt(2)).withBlocks(4096, 1 << 17);
        Query query = HeaviestTest.query("q", random, options);
        CompiledQuery code = Run.compile(query);
        List<List<Packet>> packets = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            packets.add(HeaviestTest.packets(random));
        }
        try (NativeAllocator allocator = new NativeAllocator(512L << 20);
                MergeStage second = MergeStage.second(allocator, MERGE)) {
            second.add(code, 1, this::collect);
            Set<String> names = new TreeSet<>();
            Set<String> sources = new TreeSet<>();
            for (int s = 0; s < shards; s++) {
                names.add("shard-" + s);
            }
            for (int w = 0; w < workers; w++) {
                sources.add("w" + w);
            }
            second.expectFirst(names);
            List<MergeStage> first = new ArrayList<>();
            for (String name : names) {
                first.add(TestShards.before(second, name, allocator, MERGE, code, sources));
            }
            for (int w = 0; w < workers; w++) {
                worker("w" + w, query, packets.get(w), options, random, first);
            }
            first.forEach(MergeStage::close);
        }
        return HeaviestTest.check(query, rows, events).windows();
    }

    private void worker(
            String name,
            Query query,
            List<Packet> packets,
            EngineOptions options,
            Random random,
            List<MergeStage> shards) {
        String layout = random.nextBoolean() ? "full" : "flow32";
        List<GpvLayout> layouts =
                GpvLayout.all().stream().filter(l -> l.name().equals(layout)).toList();
        CompiledQuery code = KernelCompiler.compile(query, layouts);
        NativeAllocator allocator;
        try (LocalEngine engine = new LocalEngine(options, new Account())) {
            PartialSender sender =
                    new PartialSender(
                            new WorkerEpoch(name, "1"),
                            shards.size(),
                            4096,
                            (shard, message) -> shards.get(shard).accept(message, 0));
            engine.add(code, sender.exporter(code, 1), false);
            engine.addPassListener(sender::passed);
            engine.start();
            ReplaySource source = new ReplaySource(engine, options, random, layout);
            source.replay(packets);
            engine.awaitEnd();
            events.addAll(source.events());
            allocator = engine.allocator();
        }
        allocator.close();
    }

    private void collect(RowBatch batch) {
        rows.add(Run.output(batch));
    }
}
