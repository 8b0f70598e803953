package io.weir.cluster.trigger;

import io.weir.operators.error.WeirException;
import io.weir.operators.node.LocalEngine;
import java.util.function.LongConsumer;

/** Passes triggers into an engine. Any thread. */
public final class EngineTriggers implements Triggers {
    private final LocalEngine engine;
    private final LongConsumer settled;

    /**
     * @param settled is told the settled time
     */
    public EngineTriggers(LocalEngine engine, LongConsumer settled) {
        this.engine = engine;
        this.settled = settled;
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs) {
        tell(() -> engine.wake(query, fromNs, untilNs));
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs) {
        tell(() -> engine.until(query, fromNs, untilNs));
    }

    /** A query that does not run here does not concern this worker. */
    private static void tell(Runnable call) {
        try {
            call.run();
        } catch (WeirException notHere) {
            return;
        }
    }

    @Override
    public void settled(long settledNs) {
        settled.accept(settledNs);
    }
}
