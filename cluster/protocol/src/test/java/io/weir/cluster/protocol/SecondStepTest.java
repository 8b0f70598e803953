package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose sources are shards: how long it waits for them. */
final class SecondStepTest {
    private final NativeAllocator allocator = new NativeAllocator(1L << 28);

    @AfterEach
    void close() {
        allocator.close();
    }

    /** A shard that nobody has for a while loses nothing: so nobody goes on without it. */
    @Test
    void shardsAreWaitedFor() {
        try (MergeStage after = MergeStage.second(allocator, TinyMerge.OPTIONS)) {
            after.expect(Set.of("x", "y"), Set.of(), 0);
            after.accept(
                    new MergeMessage.Passed(
                            new WorkerEpoch("x", "1"), 0, 10 * TinySource.SECOND_NS),
                    0);
            after.accept(
                    new MergeMessage.Passed(new WorkerEpoch("y", "1"), 0, 5 * TinySource.SECOND_NS),
                    0);
            after.tick(1_000 * TinySource.SECOND_NS);
            assertEquals(5 * TinySource.SECOND_NS, after.passedNs());
        }
    }

    /** A shard that has heard of all workers' end first is not ahead of the others for that. */
    @Test
    void shardsEndAndGoOnTogether() {
        try (MergeStage second = MergeStage.second(allocator, TinyMerge.OPTIONS)) {
            List<Long> passed = new ArrayList<>();
            second.add(TinyMerge.CODE, 1, batch -> {});
            second.addPassListener(passed::add);
            second.expect(Set.of("s0", "s1"), Set.of(), 0);
            long[] sequences = new long[2];
            long end = Long.MAX_VALUE;
            long[][] told = {
                {0, 10}, {1, 10}, {0, end}, {1, 20}, {1, end}, {0, 30}, {1, 25}, {1, 40}, {0, end},
                {1, 50}, {1, end}
            };
            for (long[] one : told) {
                int shard = (int) one[0];
                WorkerEpoch source = new WorkerEpoch("s" + shard, "1");
                second.accept(new MergeMessage.Passed(source, sequences[shard]++, one[1]), 0);
            }
            assertEquals(List.of(10L, end, 25L, 30L, end), passed);
        }
    }
}
