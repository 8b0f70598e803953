package io.weir.operators.node;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.pipeline.QueryAttachment;
import io.weir.operators.result.ResultStage;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * {@link ResultLoop#first}: a pipeline's thread requests an action (a query ends for lack of room).
 * The action runs before anything is emitted up to the watermark that the thread sets after that.
 */
@JCStressTest
@Outcome(
        id = {"true, 1"},
        expect = ACCEPTABLE,
        desc = "done, once, and before the time passed")
@Outcome(expect = FORBIDDEN, desc = "the time passed first, or it was done twice or never")
@State
public class FirstStress {
    private final NativeAllocator allocator = new NativeAllocator(1 << 16);
    private final BlockRing ring = new BlockRing(allocator, 4096);
    private final BlockWriter writer = new BlockWriter(ring, 0, 512, () -> {});
    private final Pipeline pipeline = new Pipeline(ring, new Account());
    private final ResultLoop loop =
            new ResultLoop(new ResultStage(), List.of(pipeline), List.of(), new ReplayBarrier(0));

    /** Only the results' thread uses it. */
    private int done;

    private boolean inTime = true;

    public FirstStress() {
        pipeline.attach(new Failing());
        loop.addPassListener(passedNs -> inTime &= passedNs < 5 || done == 1);
        writer.flush(5);
    }

    private final class Failing implements QueryAttachment {
        @Override
        public void segment(
                int id, int flags, int node, long address, int gpvs, int packets, long cameNs) {}

        @Override
        public void advance(long watermarkNs, long lostPackets) {
            loop.first(() -> done++);
        }

        @Override
        public void finish() {}
    }

    @Actor
    public void pipeline() {
        pipeline.poll(10);
    }

    @Actor
    public void results() {
        loop.turn();
    }

    @Arbiter
    public void rest(ZI_Result r) {
        loop.turn();
        r.r1 = inTime;
        r.r2 = done;
        ring.close();
        allocator.close();
    }
}
