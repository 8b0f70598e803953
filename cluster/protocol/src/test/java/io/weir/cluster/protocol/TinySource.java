package io.weir.cluster.protocol;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.kernel.TopKRewrite;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** What a worker sends that saw so many packets of ten hosts in each second from 0 on. */
public final class TinySource {
    public static final long SECOND_NS = 1_000_000_000L;

    private TinySource() {}

    /** SELECT src_addr, COUNT(*) AS n, what rows say … GROUP BY TUMBLE 1 s, src_addr. */
    static CompiledQuery perSource() {
        return perSource("q", SECOND_NS);
    }

    /** The same by another name, in windows of another length. */
    static CompiledQuery perSource(String name, long windowNs) {
        return perSource(name, Optional.of(Window.tumble(windowNs)));
    }

    /** The same without a window. */
    static CompiledQuery totals() {
        return perSource("q", Optional.empty());
    }

    /** Of {@link #perSource}, the heaviest; there is room for all. */
    static CompiledQuery heaviest() {
        Query all = query("q", Optional.of(Window.tumble(SECOND_NS)));
        return compile(TopKRewrite.of(all, 64L << 20));
    }

    private static CompiledQuery compile(Query query) {
        return KernelCompiler.compile(query, List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    private static CompiledQuery perSource(String name, Optional<Window> window) {
        return compile(query(name, window));
    }

    private static Query query(String name, Optional<Window> window) {
        List<Expr.Variable> columns =
                PacketColumns.all().stream().map(PacketColumns.PacketColumn::variable).toList();
        Operator.Scan scan = new Operator.Scan(StreamType.PACKETS, columns, "ts");
        Expr.Variable src = PacketColumns.find("src_addr").orElseThrow().variable();
        FoldCall count = new FoldCall("n", Folds.count(), List.of(), false, Optional.empty());
        Aggregate groups =
                new Aggregate(
                        scan,
                        window,
                        List.of(new Named("src_addr", src)),
                        List.of(count),
                        Set.of());
        List<Named> outputs = new ArrayList<>();
        groups.columns().stream()
                .filter(c -> !c.name().startsWith("window") && !c.name().equals("active_from"))
                .forEach(c -> outputs.add(new Named(c.name(), c)));
        return new Query(name, new Project(groups, outputs), Optional.empty(), "");
    }

    /** By shard. */
    static List<List<MergeMessage>> messages(
            CompiledQuery code, WorkerEpoch source, int shards, int blockBytes, int... packets) {
        return messages(List.of(code), source, shards, blockBytes, packets);
    }

    /** By shard, of several queries, each in version 1. */
    public static List<List<MergeMessage>> messages(
            List<CompiledQuery> codes,
            WorkerEpoch source,
            int shards,
            int blockBytes,
            int... packets) {
        return messages(codes, source, shards, blockBytes, false, packets);
    }

    /** Writes the packets of a second. */
    @FunctionalInterface
    interface Packets {
        void write(int second, BlockWriter into);
    }

    /** By shard, of a live worker whose packets are the caller's, for so many seconds. */
    static List<List<MergeMessage>> live(
            CompiledQuery code, WorkerEpoch source, int shards, int seconds, Packets packets) {
        List<List<MergeMessage>> messages = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            messages.add(new ArrayList<>());
        }
        NativeAllocator memory;
        try (LocalEngine engine = new LocalEngine(EngineOptions.DEFAULT.forLive(), new Account())) {
            PartialSender sender =
                    new PartialSender(source, shards, 2_000, (s, p) -> messages.get(s).add(p));
            engine.add(code, sender.exporter(code, 1), false);
            engine.addPassListener(sender::passed);
            engine.start();
            BlockWriter writer = engine.writers().get(0);
            for (int second = 0; second < seconds; second++) {
                packets.write(second, writer);
                writer.flush((second + 1) * SECOND_NS);
                engine.poll();
            }
            engine.awaitEnd();
            memory = engine.allocator();
        }
        memory.close();
        return messages;
    }

    /** To one shard, the source's begin first. */
    static List<MergeMessage> begun(CompiledQuery code, WorkerEpoch source, int... packets) {
        return messages(List.of(code), source, 1, 9000, true, packets).get(0);
    }

    /** To one shard, by a life that counts its packets so, its begin first. */
    static List<MergeMessage> counted(
            CompiledQuery code, WorkerEpoch source, PacketCounts counts, int... packets) {
        return messages(
                        List.of(code),
                        List.of(),
                        -1,
                        source,
                        1,
                        9000,
                        true,
                        Optional.of(counts),
                        packets)
                .get(0);
    }

    /**
     * As before.
     *
     * @param begins whether the source's begin is first
     */
    public static List<List<MergeMessage>> messages(
            List<CompiledQuery> codes,
            WorkerEpoch source,
            int shards,
            int blockBytes,
            boolean begins,
            int... packets) {
        return messages(
                codes,
                List.of(),
                -1,
                source,
                shards,
                blockBytes,
                begins,
                Optional.empty(),
                packets);
    }

    private static List<List<MergeMessage>> messages(
            List<CompiledQuery> codes,
            List<CompiledQuery> successors,
            int replaced,
            WorkerEpoch source,
            int shards,
            int blockBytes,
            boolean begins,
            Optional<PacketCounts> counts,
            int... packets) {
        List<List<MergeMessage>> messages = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            messages.add(new ArrayList<>());
        }
        NativeAllocator memory;
        try (LocalEngine engine = new LocalEngine(EngineOptions.DEFAULT, new Account())) {
            PartialSender sender =
                    new PartialSender(
                            source,
                            shards,
                            blockBytes,
                            (s, p) -> messages.get(s).add(p),
                            counts,
                            engine::packets);
            for (CompiledQuery code : codes) {
                engine.add(code, sender.exporter(code, 1), false);
            }
            engine.addPassListener(sender::passed);
            if (begins) {
                sender.begin();
            }
            engine.start();
            BlockWriter writer = engine.writers().get(0);
            for (int second = 0; second < packets.length; second++) {
                for (CompiledQuery code :
                        second == replaced ? successors : List.<CompiledQuery>of()) {
                    engine.replace(code, sender.exporter(code, 2), false);
                }
                for (int p = 0; p < packets[second]; p++) {
                    gpv(second, p).writeTo(writer, false);
                    engine.poll();
                }
                writer.flush((second + 1) * SECOND_NS);
                engine.poll();
            }
            engine.awaitEnd();
            memory = engine.allocator();
        }
        memory.close();
        return messages;
    }

    /** The same of a life that passes nothing up to this second, numbered as if it had been so. */
    static List<MergeMessage> passing(List<MergeMessage> messages, int second) {
        List<MergeMessage> left = new ArrayList<>();
        for (MergeMessage message : messages) {
            long next = left.size();
            if (message instanceof MergeMessage.Passed passed) {
                if (passed.isBeginning() || passed.watermarkNs() > second * SECOND_NS) {
                    left.add(new MergeMessage.Passed(passed.source(), next, passed.watermarkNs()));
                }
            } else if (message instanceof MergeMessage.Block b) {
                left.add(
                        new MergeMessage.Block(
                                b.source(), next, b.activation(), b.endNs(), b.bytes()));
            } else if (message instanceof MergeMessage.WindowEnd w) {
                left.add(new MergeMessage.WindowEnd(w.source(), next, w.activation(), w.window()));
            } else if (message instanceof MergeMessage.Ended e) {
                left.add(new MergeMessage.Ended(e.source(), next, e.activation(), e.untilNs()));
            }
        }
        return left;
    }

    /**
     * By shard, of a source whose queries are replaced before a second's first packet, by these in
     * version 2.
     */
    public static List<List<MergeMessage>> replacing(
            List<CompiledQuery> codes,
            List<CompiledQuery> successors,
            int replaced,
            WorkerEpoch source,
            int shards,
            int... packets) {
        return messages(
                codes,
                successors,
                replaced,
                source,
                shards,
                9000,
                false,
                Optional.empty(),
                packets);
    }

    private static RandomGpv gpv(int second, int host) {
        return new RandomGpv(new Random(1), GpvLayout.FULL_V4, 1, second * SECOND_NS)
                .with("src_addr", Inet.v4(0x0A000000 + host % 10));
    }
}
