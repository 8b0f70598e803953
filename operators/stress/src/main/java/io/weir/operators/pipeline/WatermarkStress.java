package io.weir.operators.pipeline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * {@link Pipeline#watermarkNs}: a thread that sees a watermark sees all that was handed on before
 * it.
 */
@JCStressTest
@Outcome(
        id = {"0", "-1", "-2"},
        expect = ACCEPTABLE,
        desc = "what was handed on is as new as the value, or newer")
@Outcome(expect = FORBIDDEN, desc = "the value is ahead of what it promises")
@State
public class WatermarkStress {
    private final Blocks blocks = new Blocks(2);

    @Actor
    public void run() {
        blocks.pipeline.poll(10);
    }

    @Actor
    public void look(I_Result r) {
        int value = (int) Math.max(0, blocks.pipeline.watermarkNs());
        r.r1 = value - blocks.handedOn;
    }

    @Arbiter
    public void rest() {
        blocks.close();
    }
}
