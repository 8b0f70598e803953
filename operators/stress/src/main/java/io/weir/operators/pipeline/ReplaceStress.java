package io.weir.operators.pipeline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.pipeline.Blocks.Plain;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** {@link Pipeline#replace} while two blocks run: each block is run by one of the two, not both. */
@JCStressTest
@Outcome(id = "1, 3, 1, 0", expect = ACCEPTABLE, desc = "cut between blocks, the old one finished")
@Outcome(expect = FORBIDDEN, desc = "a block run twice or by nobody, or finished twice or never")
@State
public class ReplaceStress {
    private final Blocks blocks = new Blocks(2);
    private final Plain old = new Plain(7);
    private Plain altered;

    public ReplaceStress() {
        blocks.pipeline.attach(old);
        blocks.pipeline.poll(0);
    }

    @Actor
    public void replace() {
        altered = new Plain(7);
        blocks.pipeline.replace(old, altered);
    }

    @Actor
    public void run() {
        blocks.pipeline.poll(10);
    }

    @Arbiter
    public void rest(IIII_Result r) {
        blocks.writer.flush(3);
        blocks.pipeline.poll(10);
        r.r1 = old.sound && altered.sound ? 1 : 0;
        r.r2 = old.blocks + altered.blocks;
        r.r3 = old.finished;
        r.r4 = altered.finished;
        blocks.close();
    }
}
