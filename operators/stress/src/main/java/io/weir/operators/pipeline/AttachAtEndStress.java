package io.weir.operators.pipeline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.pipeline.Blocks.Plain;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * {@link Pipeline#attach} while the last block runs: if it returns true, the attached is finished,
 * once.
 */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "attached, and finished")
@Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "refused: the last block has been")
@Outcome(expect = FORBIDDEN, desc = "taken and forgotten, or finished though refused")
@State
public class AttachAtEndStress {
    private final Blocks blocks = new Blocks(1);
    private final Plain attached = new Plain(7);

    public AttachAtEndStress() {
        blocks.writer.end();
    }

    @Actor
    public void attach(ZI_Result r) {
        r.r1 = blocks.pipeline.attach(attached);
    }

    @Actor
    public void run() {
        blocks.pipeline.poll(10);
    }

    @Arbiter
    public void rest(ZI_Result r) {
        r.r2 = attached.sound ? attached.finished : -1;
        blocks.close();
    }
}
