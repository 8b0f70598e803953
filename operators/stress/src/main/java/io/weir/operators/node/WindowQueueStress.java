package io.weir.operators.node;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.result.ClosedWindow;
import io.weir.operators.result.WindowPart;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** {@link WindowQueue}: windows come once, in order, and whole. */
@JCStressTest
@Outcome(
        id = {"true, 0", "true, 1", "true, 2"},
        expect = ACCEPTABLE,
        desc = "as many as were there; the rest later")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, out of order or half made")
@State
public class WindowQueueStress {
    private final WindowQueue queue = new WindowQueue(new YieldingIdleStrategy(), new Failure());
    private int expected = 7;
    private boolean sound = true;

    @Actor
    public void pipeline() {
        queue.put(new ClosedWindow(null, WindowPart.last(7, 0)));
        queue.put(new ClosedWindow(null, WindowPart.last(8, 0)));
    }

    @Actor
    public void results(ZI_Result r) {
        r.r2 = queue.drain(this::take);
    }

    private void take(ClosedWindow window) {
        sound &= window.part().pipeline() == expected && window.part().isLast();
        expected++;
    }

    @Arbiter
    public void rest(ZI_Result r) {
        queue.drain(this::take);
        r.r1 = sound && expected == 9;
    }
}
