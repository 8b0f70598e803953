package io.weir.operators.window;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.memory.NativeAllocator;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * {@link SpareTables#close}, as the query ends, while the results give tables back: nothing leaks.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "freed by one of them")
@Outcome(expect = FORBIDDEN, desc = "kept by nobody and freed by nobody")
@State
public class SpareCloseStress {
    private final NativeAllocator allocator = new NativeAllocator(1 << 20);
    private final SpareTables spare = new SpareTables(1 << 20);
    private final Tables tables = SpareTablesStress.filled(allocator, spare);

    @Actor
    public void results() {
        tables.close();
    }

    @Actor
    public void pipeline() {
        spare.close();
    }

    @Arbiter
    public void rest(J_Result r) {
        r.r1 = allocator.usedBytes();
        tables.free();
    }
}
