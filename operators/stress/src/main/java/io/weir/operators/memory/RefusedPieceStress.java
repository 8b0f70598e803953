package io.weir.operators.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** {@link NativeAllocator}'s bound: a refused request takes nothing from another thread. */
@JCStressTest
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "one is too large, the other fits")
@Outcome(expect = FORBIDDEN, desc = "over the bound, or refused because another was")
@State
public class RefusedPieceStress {
    private final NativeAllocator allocator = new NativeAllocator(1000);
    private final long held = allocator.allocate(600, MemoryTag.TEST);
    private long fits;

    @Actor
    public void large(ZZ_Result r) {
        r.r1 = allocator.tryAllocate(500, MemoryTag.TEST) != 0;
    }

    @Actor
    public void small(ZZ_Result r) {
        fits = allocator.tryAllocate(300, MemoryTag.TEST);
        r.r2 = fits != 0;
    }

    @Arbiter
    public void rest() {
        allocator.free(fits, fits == 0 ? 0 : 300, MemoryTag.TEST);
        allocator.free(held, 600, MemoryTag.TEST);
        allocator.close();
    }
}
