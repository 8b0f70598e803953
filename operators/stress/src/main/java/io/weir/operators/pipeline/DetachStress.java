package io.weir.operators.pipeline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.pipeline.Blocks.Plain;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/**
 * {@link Pipeline#detach} of one while two blocks run and another stays. The pipeline's thread
 * finishes it once, and it sees nothing afterwards. The other misses nothing.
 */
@JCStressTest
@Outcome(id = "true, 1, 3", expect = ACCEPTABLE, desc = "finished once; the other saw all blocks")
@Outcome(expect = FORBIDDEN, desc = "finished twice or never, or run after that")
@State
public class DetachStress {
    private final Blocks blocks = new Blocks(2);
    private final Plain leaves = new Plain(7);
    private final Plain stays = new Plain(7);

    public DetachStress() {
        blocks.pipeline.attach(leaves);
        blocks.pipeline.attach(stays);
        blocks.pipeline.poll(0);
    }

    @Actor
    public void detach() {
        blocks.pipeline.detach(leaves);
    }

    @Actor
    public void run() {
        blocks.pipeline.poll(10);
    }

    @Arbiter
    public void rest(ZII_Result r) {
        blocks.writer.flush(3);
        blocks.pipeline.poll(10);
        r.r1 = leaves.sound && stays.sound && leaves.blocks <= 2;
        r.r2 = leaves.finished;
        r.r3 = stays.blocks;
        blocks.close();
    }
}
