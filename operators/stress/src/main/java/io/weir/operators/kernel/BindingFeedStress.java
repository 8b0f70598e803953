package io.weir.operators.kernel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Correlation.Equation;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Type;
import io.weir.operators.map.BindingTable;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link BindingFeed}: a pipeline that sees a binding sees its values, and later its end. */
@JCStressTest
@Outcome(
        id = {"0, 5", "7, 5"},
        expect = ACCEPTABLE,
        desc = "not seen yet, or whole; then the newest")
@Outcome(expect = FORBIDDEN, desc = "half made, or an old one")
@State
public class BindingFeedStress {
    private static final Variable KEY = Variable.column("k", Type.BIGINT);

    private final NativeAllocator allocator = new NativeAllocator(1 << 20);
    private final BindingFeed feed =
            new BindingFeed(
                    new Correlation(List.of(new Equation(KEY, KEY)), List.of(KEY), 10, 0), 0);
    private final BindingFeed.Follower follower = feed.follow(allocator);

    @Actor
    public void results() {
        BindingFeed.Change woken = change(Long.MAX_VALUE);
        feed.put(woken);
        feed.put(woken.until(5));
    }

    private static BindingFeed.Change change(long untilNs) {
        return new BindingFeed.Change(1, 0, untilNs, 0, new long[] {3}, new long[] {0, 7}, false);
    }

    @Actor
    public void pipeline(JJ_Result r) {
        follower.follow();
        r.r1 = BindingTable.word(follower.table().key(3).find(), 2);
    }

    @Arbiter
    public void rest(JJ_Result r) {
        follower.follow();
        BindingTable table = follower.table();
        long first = table.key(3).find();
        r.r2 = table.at(first, 4) != 0 && table.at(first, 5) == 0 ? 5 : 0;
        follower.close();
        allocator.close();
    }
}
