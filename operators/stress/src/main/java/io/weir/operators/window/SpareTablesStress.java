package io.weir.operators.window;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.map.EntryLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.map.FlatMap1;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * {@link SpareTables}: the results' thread gives a closed pane's tables back while the pipeline
 * wants them for the next pane. The taker finds them empty, and nobody else has them.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "taken, and empty")
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "too late for this pane: there for the next")
@Outcome(expect = FORBIDDEN, desc = "lost, in two hands, or not empty")
@State
public class SpareTablesStress {
    private final NativeAllocator allocator = new NativeAllocator(1 << 20);
    private final SpareTables spare = new SpareTables(1 << 20);
    private final Tables tables = filled(allocator, spare);

    /** Tables with a group in them. */
    static Tables filled(NativeAllocator allocator, SpareTables spare) {
        List<EntryLayout> layouts = List.of(EntryLayout.settled(1, List.of(0L)));
        Tables tables = new Tables(allocator, layouts, 0, 1 << 16, spare);
        FlatMap groups = tables.open(0);
        ((FlatMap1) groups).findAlone(7);
        return tables;
    }

    @Actor
    public void results() {
        tables.close();
    }

    @Actor
    public void pipeline(III_Result r) {
        Tables taken = spare.take();
        if (taken != null) {
            r.r1 = 1;
            r.r3 = taken.table(0).size();
        }
    }

    @Arbiter
    public void rest(III_Result r) {
        Tables left = spare.take();
        if (left != null) {
            r.r2 = 1;
            r.r3 = left.table(0).size();
        }
        tables.free();
        allocator.close();
    }
}
