package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.protocol.wire.PartialReader;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.cluster.protocol.wire.StateForm;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Partials through bytes: in shards, in blocks of any size; with sets or, once merged, without. */
final class Travel implements Function<Partial, List<Partial>> {
    private final CompiledQuery code;
    private final NativeAllocator allocator;
    private final StateForm form;
    private final PartialWriter writer;
    private final int shards;

    Travel(CompiledQuery code, NativeAllocator allocator, Random random) {
        this.code = code;
        this.allocator = allocator;
        // Another compilation of the same query, as in another process.
        form = StateForm.of(KernelCompiler.compile(code.query(), code.layouts()));
        shards = 1 + random.nextInt(4);
        int blockBytes = random.nextBoolean() ? 200 : PartialWriter.DEFAULT_BLOCK_BYTES;
        int home = random.nextInt(shards);
        writer = PartialWriter.of(StateForm.of(code), code, shards, home, blockBytes);
    }

    @Override
    public List<Partial> apply(Partial partial) {
        List<List<byte[]>> blocks = blocks(partial, writer, shards);
        List<Partial> parts = read(blocks);
        long groups = parts.stream().mapToLong(Partial::groups).sum();
        assertEquals(partial.groups(), groups);
        assertEquals(0, parts.stream().mapToLong(Partial::groupsLost).sum());
        partial.close();
        return parts;
    }

    static List<List<byte[]>> blocks(Partial partial, PartialWriter writer, int shards) {
        List<List<byte[]>> blocks = new ArrayList<>();
        for (int s = 0; s < shards; s++) {
            blocks.add(new ArrayList<>());
        }
        writer.write(List.of(partial), (shard, bytes) -> blocks.get(shard).add(bytes));
        return blocks;
    }

    private List<Partial> read(List<List<byte[]>> blocks) {
        List<Partial> parts = new ArrayList<>();
        try (PartialReader reader = new PartialReader(form, allocator)) {
            for (List<byte[]> ofShard : blocks) {
                Partial part = code.newPartial(allocator, StateOptions.DEFAULT.maxBytes());
                ofShard.forEach(block -> reader.read(block, part));
                parts.add(part);
            }
        }
        return parts;
    }
}
