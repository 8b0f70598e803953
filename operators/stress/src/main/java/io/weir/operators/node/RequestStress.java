package io.weir.operators.node;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.result.ResultStage;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * {@link ResultLoop#request} and {@link ResultLoop#served}: a reader that sees its request served
 * sees all earlier work as done.
 */
@JCStressTest
@Outcome(id = "-1", expect = ACCEPTABLE, desc = "not served yet")
@Outcome(id = "7", expect = ACCEPTABLE, desc = "served, and done")
@Outcome(expect = FORBIDDEN, desc = "served before it was done")
@State
public class RequestStress {
    private final ResultLoop loop =
            new ResultLoop(new ResultStage(), List.of(), List.of(), new ReplayBarrier(0));

    /** A plain field. */
    private int done;

    @Actor
    public void reader(I_Result r) {
        loop.first(() -> done = 7);
        long request = loop.request();
        r.r1 = loop.served() < request ? -1 : done;
    }

    @Actor
    public void results() {
        loop.turn();
    }

    @Arbiter
    public void rest() {
        loop.turn();
    }
}
