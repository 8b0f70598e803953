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
import org.openjdk.jcstress.infra.results.III_Result;

/** {@link BlockRing} when it is full: a block's bytes are the consumer's until it has read them. */
@JCStressTest
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "still full: the producer is refused")
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "the block that was read made room")
@Outcome(expect = FORBIDDEN, desc = "written over, lost, or out of order")
@State
public class RingReuseStress {
    /** With the record's header an eighth of the ring. */
    private static final int BYTES = 4096 / 8 - 8;

    private final NativeAllocator allocator = new NativeAllocator(1 << 16);
    private final BlockRing ring = new BlockRing(allocator, 4096);
    private int next = 1;
    private int written;
    private boolean sound = true;

    public RingReuseStress() {
        for (long block = ring.tryClaim(BYTES); block != 0; block = ring.tryClaim(BYTES)) {
            write(block, ++written);
        }
    }

    private void write(long block, int number) {
        for (int at = 0; at < BYTES; at += 8) {
            Memory.putLong(block + at, number);
        }
        ring.commit(block);
    }

    @Actor
    public void produce(III_Result r) {
        long block = ring.tryClaim(BYTES);
        if (block != 0) {
            write(block, written + 1);
            r.r1 = 1;
        }
    }

    @Actor
    public void consume(III_Result r) {
        r.r2 = ring.read(this::check, 1);
    }

    /** Blocks come in order, each with its number in every word. */
    private void check(long address, int length) {
        for (int at = 0; at < BYTES; at += 8) {
            sound &= Memory.getLong(address + at) == next;
        }
        next++;
    }

    @Arbiter
    public void rest(III_Result r) {
        ring.read(this::check, 10);
        r.r3 = sound ? next - 1 - written : -1;
        ring.close();
        allocator.close();
    }
}
