package io.weir.cluster.protocol;

import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import java.util.Set;

/** The first of two steps of a merge, as a shard's owner wires it. */
public final class TestShards {
    private TestShards() {}

    /** A shard that sends its windows on, as the source of this name. */
    public static MergeStage before(
            MergeStage second,
            String name,
            NativeAllocator allocator,
            MergeStage.Options options,
            CompiledQuery code,
            Set<String> workers) {
        WorkerEpoch source = new WorkerEpoch(name, "1");
        MergeStage shard =
                sending(
                        source,
                        (one, message) -> second.accept(message, 0),
                        allocator,
                        options,
                        code);
        shard.expectFirst(workers);
        return shard;
    }

    /** A shard that sends its windows there. */
    static MergeStage sending(
            WorkerEpoch source,
            MessageOutput out,
            NativeAllocator allocator,
            MergeStage.Options options,
            CompiledQuery code) {
        MergeStage shard = MergeStage.first(allocator, options);
        PartialSender onward = new PartialSender(source, 1, PartialWriter.DEFAULT_BLOCK_BYTES, out);
        shard.add(code, 1, onward.merged(code, 1), false);
        shard.addPassListener(onward);
        return shard;
    }
}
