package io.weir.operators.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.memory.NativeAllocator;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link BlockWriter#publishedBlocks}: a block that is counted can be read. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not yet")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "published between the two looks")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "counted, and there")
@Outcome(id = "1, 0", expect = FORBIDDEN, desc = "counted before it was there")
@State
public class PublishedBlocksStress {
    private final NativeAllocator allocator = new NativeAllocator(1 << 16);
    private final BlockRing ring = new BlockRing(allocator, 4096);
    private final BlockWriter writer = new BlockWriter(ring, 0, 512, () -> {});

    @Actor
    public void produce() {
        writer.flush(5);
    }

    @Actor
    public void consume(II_Result r) {
        r.r1 = (int) writer.publishedBlocks();
        r.r2 = ring.read((address, length) -> {}, 10);
    }

    @Arbiter
    public void rest() {
        ring.close();
        allocator.close();
    }
}
