package io.weir.operators.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** {@link BlockRing}: a block is read whole or not at all. */
@JCStressTest
@Outcome(id = "none, 7 9", expect = ACCEPTABLE, desc = "read after it was committed")
@Outcome(id = "7 9, none", expect = ACCEPTABLE, desc = "read while the producer ran")
@Outcome(expect = FORBIDDEN, desc = "a block that is not whole, lost, or there twice")
@State
public class RingHandoverStress {
    private final NativeAllocator allocator = new NativeAllocator(1 << 16);
    private final BlockRing ring = new BlockRing(allocator, 4096);

    @Actor
    public void produce() {
        long block = ring.tryClaim(64);
        Memory.putLong(block, 7);
        Memory.putLong(block + 56, 9);
        ring.commit(block);
    }

    @Actor
    public void consume(LL_Result r) {
        r.r1 = read();
    }

    @Arbiter
    public void rest(LL_Result r) {
        r.r2 = read();
        ring.close();
        allocator.close();
    }

    private String read() {
        String[] seen = {"none"};
        ring.read(
                (address, length) ->
                        seen[0] = Memory.getLong(address) + " " + Memory.getLong(address + 56),
                10);
        return seen[0];
    }
}
