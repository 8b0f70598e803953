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

/** {@link Pipeline#attach} while two blocks run: from some block on, all of them, and all of it. */
@JCStressTest
@Outcome(
        id = {"true, 0, 1", "true, 1, 1", "true, 2, 1"},
        expect = ACCEPTABLE,
        desc = "the rest of the blocks, and later those that come")
@Outcome(expect = FORBIDDEN, desc = "half made, or not taken up")
@State
public class AttachStress {
    private final Blocks blocks = new Blocks(2);
    private Plain attached;

    @Actor
    public void attach() {
        attached = new Plain(7);
        blocks.pipeline.attach(attached);
    }

    @Actor
    public void run() {
        blocks.pipeline.poll(10);
    }

    @Arbiter
    public void rest(ZII_Result r) {
        r.r2 = attached.blocks;
        blocks.writer.flush(3);
        blocks.pipeline.poll(10);
        r.r3 = attached.blocks - r.r2;
        r.r1 = attached.sound;
        blocks.close();
    }
}
