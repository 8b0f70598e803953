package io.weir.operators.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * {@link NativeAllocator#release} of a budget by its pipeline, while the results free the last
 * piece of it. The whole is given back, once.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "given back by the later of them")
@Outcome(expect = FORBIDDEN, desc = "given back twice or never")
@State
public class ReleaseStress {
    private final NativeAllocator allocator = new NativeAllocator(1000);
    private final NativeAllocator budget = allocator.reserve(400);
    private final long piece = budget.allocate(8, MemoryTag.TEST);

    @Actor
    public void results() {
        budget.free(piece, 8, MemoryTag.TEST);
    }

    @Actor
    public void pipeline() {
        budget.release();
    }

    @Arbiter
    public void rest(J_Result r) {
        r.r1 = allocator.usedBytes();
    }
}
