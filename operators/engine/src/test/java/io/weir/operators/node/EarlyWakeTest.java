package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.when.WhenState;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A row that was made elsewhere wakes a query before the engine that has it starts. */
final class EarlyWakeTest {
    private static final long SECOND_NS = Graphs.SECOND_NS;

    private final TreeMap<Long, Long> packets = new TreeMap<>();

    private static CompiledQuery woken() {
        Query counts = Graphs.counts("q", Graphs.tumble(1), null, "src_addr");
        Expr any = ((Operator.Project) counts.root()).outputs().get(0).expr();
        When when = new When("other", any, Optional.empty(), Optional.empty());
        Query query = new Query("q", counts.root(), Optional.of(when), "");
        return KernelCompiler.compile(query, List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    private void run(long fromNs, long untilNs, long endNs) {
        TinyEngine tiny = new TinyEngine(EngineOptions.DEFAULT);
        tiny.engine.addWoken(
                woken(),
                batch -> {
                    for (int r = 0; r < batch.rows(); r++) {
                        long second = batch.windowEndNs() / SECOND_NS - 1;
                        packets.merge(second, (Long) batch.value(r, 1), Long::sum);
                    }
                });
        tiny.engine.report("q", WhenState.Change.wake(fromNs, untilNs));
        tiny.engine.report("q", WhenState.Change.until(fromNs, endNs));
        tiny.engine.start();
        for (int second = 0; second < 6; second++) {
            tiny.write(5, second * SECOND_NS);
            tiny.pass((second + 1) * SECOND_NS);
        }
        tiny.end();
    }

    @Test
    void itCountsFromThenOn() {
        run(2 * SECOND_NS, Long.MAX_VALUE, Long.MAX_VALUE);
        assertEquals("{2=5, 3=5, 4=5, 5=5}", packets.toString());
    }

    @Test
    void itEndsWhenThatWasTold() {
        run(2 * SECOND_NS, Long.MAX_VALUE, 4 * SECOND_NS);
        assertEquals("{2=5, 3=5}", packets.toString());
    }

    @Test
    void whatHasEndedCountsNothing() {
        run(2 * SECOND_NS, 2 * SECOND_NS, 2 * SECOND_NS);
        assertEquals("{}", packets.toString());
    }
}
