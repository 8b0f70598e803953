package io.weir.operators.pipeline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.pipeline.Blocks.Plain;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads change the array at once: neither's change is lost. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "both attached, the third detached")
@Outcome(expect = FORBIDDEN, desc = "a change was lost")
@State
public class AttachAttachStress {
    private final Blocks blocks = new Blocks(0);
    private final Plain first = new Plain(7);
    private final Plain second = new Plain(7);
    private final Plain third = new Plain(7);

    public AttachAttachStress() {
        blocks.pipeline.attach(third);
        blocks.pipeline.poll(1);
    }

    @Actor
    public void attachFirst() {
        blocks.pipeline.attach(first);
    }

    @Actor
    public void attachSecond() {
        blocks.pipeline.attach(second);
        blocks.pipeline.detach(third);
    }

    @Arbiter
    public void rest(III_Result r) {
        blocks.writer.flush(1);
        blocks.pipeline.poll(10);
        r.r1 = first.blocks;
        r.r2 = second.blocks;
        r.r3 = third.blocks == 0 ? third.finished : -1;
        blocks.close();
    }
}
