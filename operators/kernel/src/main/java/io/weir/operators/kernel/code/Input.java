package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.Optional;
import java.util.function.LongFunction;

/** The input of a kernel: the variables of the scan, and the loops over GPVs or rows. */
interface Input extends Variables {
    /** Returns the block for code that is the same for all packets of a GPV. */
    Block outer();

    /** Returns the block for code that runs for each packet. */
    Block inner();

    /** Returns the expression for the number of packets of a GPV, or of a part of it: an int. */
    String count();

    /** Returns the expression for the packet's time, in {@link #inner}. */
    String time();

    /** Returns the expression for the sum of a column over those packets, if it needs no loop. */
    Optional<String> sum(Expr.Variable column);

    /**
     * Returns the expression for the number of those packets that match, if it needs no loop.
     *
     * @param literal turns the result of {@link io.weir.operators.gpv.TupleMatch#lanes} into code
     */
    Optional<String> countOf(Match match, LongFunction<String> literal);

    /** Returns the description of what C can read. */
    GatherCode gather();

    /**
     * Returns whether a GPV has many packets, so that it pays to fold them apart and merge once.
     */
    boolean isGrouped();
}
