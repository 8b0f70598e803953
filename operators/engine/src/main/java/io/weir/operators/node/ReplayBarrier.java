package io.weir.operators.node;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.when.WhenTester;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the time that packets may not pass before conditions are settled. The results' thread.
 */
final class ReplayBarrier {
    private final long delayNs;
    private final List<Awaited> awaited = new ArrayList<>();

    private record Awaited(ResultQuery upstream, Window emission, WhenTester test) {}

    ReplayBarrier(long delayNs) {
        this.delayNs = delayNs;
    }

    void add(ResultQuery upstream, Window emission, WhenTester test) {
        awaited.add(new Awaited(upstream, emission, test));
    }

    void remove(WhenTester test) {
        awaited.removeIf(one -> one.test == test);
    }

    /** Notes that the upstream query has a successor. */
    void moved(ResultQuery from, ResultQuery to, Window emission) {
        awaited.replaceAll(one -> one.upstream == from ? new Awaited(to, emission, one.test) : one);
    }

    /**
     * Returns the time from which a packet must wait, when all before {@code settledNs} is settled.
     */
    long atNs(long settledNs) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < awaited.size(); i++) {
            Awaited one = awaited.get(i);
            if (emits(one)) {
                ResultQuery upstream = one.upstream;
                long nextNs = WindowEnds.after(one.emission, upstream.inputNs(settledNs));
                least = Math.min(least, upstream.knownNs(nextNs));
            }
        }
        return WindowEnds.plus(least, delayNs);
    }

    private static boolean emits(Awaited one) {
        // A sleeping upstream emits nothing before it wakes, and then this is called again.
        return !one.upstream.activations().isEmpty() && !one.test.isSettled();
    }
}
