package io.weir.operators.when;

import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowSink;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The test of one WHEN, as a stage of results runs it.
 *
 * @param readers of the upstreams' rows, in the order of the condition
 * @param joint tests rows of several upstreams once all rows of their time have come; empty if
 *     there is one upstream
 */
public record JointTest(List<RowSink> readers, Optional<BooleanSupplier> joint) {
    /** A query that tests nothing. */
    public static final JointTest NONE = new JointTest(List.of(), Optional.empty());

    public JointTest {
        readers = List.copyOf(readers);
    }

    /**
     * @param codes of the upstreams, in the order of the condition
     */
    public static JointTest of(
            When when, List<CompiledQuery> codes, NativeAllocator allocator, WhenTester test) {
        if (!when.isJoint()) {
            return new JointTest(List.of(test), Optional.empty());
        }
        LatestRows latest = new LatestRows(when, codes, allocator, test);
        return new JointTest(latest.sinks(), Optional.of(latest::test));
    }
}
