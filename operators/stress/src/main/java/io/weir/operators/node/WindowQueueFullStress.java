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

/**
 * {@link WindowQueue} when it is full: the pipeline waits for room and loses nothing; once the
 * results have stopped, it does not wait for ever.
 */
@JCStressTest
@Outcome(id = "true, 1024", expect = ACCEPTABLE, desc = "stopped before there was room: freed")
@Outcome(id = "true, 1025", expect = ACCEPTABLE, desc = "there was room first")
@Outcome(expect = FORBIDDEN, desc = "lost or out of order")
@State
public class WindowQueueFullStress {
    private static final int CAPACITY = 1024;
    private static final ClosedWindow[] WINDOWS = new ClosedWindow[CAPACITY + 1];

    static {
        for (int i = 0; i < WINDOWS.length; i++) {
            WINDOWS[i] = new ClosedWindow(null, WindowPart.last(i, 0));
        }
    }

    private final WindowQueue queue = new WindowQueue(new YieldingIdleStrategy(), new Failure());
    private int next;
    private boolean sound = true;

    public WindowQueueFullStress() {
        for (int i = 0; i < CAPACITY; i++) {
            queue.put(WINDOWS[i]);
        }
    }

    @Actor
    public void pipeline() {
        queue.put(WINDOWS[CAPACITY]);
    }

    @Actor
    public void results() {
        queue.stop();
        queue.drain(this::take);
    }

    private void take(ClosedWindow window) {
        sound &= window.part().pipeline() == next;
        next++;
    }

    @Arbiter
    public void rest(ZI_Result r) {
        queue.drain(this::take);
        r.r1 = sound;
        r.r2 = next;
    }
}
