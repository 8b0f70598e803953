package io.weir.operators.kernel;

import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.cluster.protocol.wire.StateForm;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.Type;
import io.weir.operators.kernel.RandomPackets.Sent;
import io.weir.operators.kernel.RandomPackets.Shape;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.sketch.SketchFolds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Blocks full of strings, as a process with other numbers for them writes them: a test loads this
 * class a second time, with all that it needs, and calls it there.
 */
public final class ForeignBlocks {
    static final int SHARDS = 3;

    private ForeignBlocks() {}

    /** Two queries: groups, with strings in keys, sets and sketches; and rows. */
    static List<CompiledQuery> queries() {
        Expr node = TestQueries.column("node_id");
        Expr small = Functions.call("<", TestQueries.column("bytes"), Literal.of(2L));
        Expr size =
                Functions.call(
                        "CASE",
                        small,
                        new Literal("small", Type.VARCHAR),
                        Literal.nullOf(Kind.VARCHAR));
        List<Named> keys =
                List.of(
                        new Named("node", node),
                        new Named("dst", TestQueries.column("dst_addr")),
                        new Named("size", size));
        List<FoldCall> folds =
                List.of(
                        TestQueries.count("n"),
                        TestQueries.distinct("nodes", node, size),
                        TestQueries.call(
                                "about", SketchFolds.distinct(), SketchFolds.hashOf(List.of(node))),
                        TestQueries.call("top", SketchFolds.top(Kind.VARCHAR, 1), node));
        var scan = TestQueries.packets(GpvLayout.FULL_V4);
        Aggregate aggregate = new Aggregate(scan, Optional.empty(), keys, folds, Set.of());
        List<Named> outputs = new ArrayList<>();
        aggregate.columns().forEach(c -> outputs.add(new Named(c.name(), c)));
        Query groups = new Query("g", new Project(aggregate, outputs), Optional.empty(), "");
        Query rows = new Query("r", new Project(scan, keys), Optional.empty(), "");
        List<GpvLayout> layouts = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
        return List.of(
                KernelCompiler.compile(groups, layouts), KernelCompiler.compile(rows, layouts));
    }

    /** Called by reflection: blocks by query and shard. */
    public static byte[][][][] write(long seed, int stringsBefore) {
        for (int i = 0; i < stringsBefore; i++) {
            Symbols.id("string " + i);
        }
        List<byte[][][]> all = new ArrayList<>();
        try (NativeAllocator allocator = new NativeAllocator(1 << 26)) {
            for (CompiledQuery code : queries()) {
                all.add(write(code, allocator, new Random(seed)));
            }
        }
        return all.toArray(byte[][][][]::new);
    }

    private static byte[][][] write(CompiledQuery code, NativeAllocator allocator, Random random) {
        PartialWriter writer = PartialWriter.of(StateForm.of(code), code, SHARDS, 1, 700);
        List<List<byte[]>> blocks = new ArrayList<>();
        try (QueryState state =
                code.newState(allocator, new ActiveInterval(), StateOptions.DEFAULT)) {
            for (int stream = 0; stream < 5; stream++) {
                Shape shape = new Shape(3, 5, 6, 1000);
                for (Sent sent : RandomPackets.stream(random, "full", 12, false, shape)) {
                    KernelRun.send(allocator, state, List.of(sent));
                }
            }
            state.finish();
            state.eachWindow(
                    window -> {
                        try (Partial partial = window.groups()) {
                            blocks.addAll(Travel.blocks(partial, writer, SHARDS));
                        }
                    });
        }
        return blocks.stream().map(b -> b.toArray(byte[][]::new)).toArray(byte[][][]::new);
    }
}
