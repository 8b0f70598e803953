package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.Optional;
import java.util.function.LongFunction;

/** What a kernel reads: the variables of the scan, and the loops over what carries them. */
interface Input extends Variables {
    /** Where code goes that is the same for all packets of a GPV. */
    Block outer();

    /** Where code goes that runs for each packet. */
    Block inner();

    /** Expression of how many packets there are, of a GPV or of a part of it: an int. */
    String count();

    /** Expression of the packet's time, in {@link #inner}. */
    String time();

    /** Expression of the sum of a column over those packets, where it needs no loop. */
    Optional<String> sum(Expr.Variable column);

    /**
     * Expression of how many of those packets match, where it needs no loop.
     *
     * @param literal what {@link io.weir.operators.gpv.TupleMatch#lanes} makes of it, as code
     */
    Optional<String> countOf(Match match, LongFunction<String> literal);

    /** Where it is noted what C can read. */
    GatherCode gather();

    /** Whether a GPV has many packets, so that it pays to fold them apart and merge once. */
    boolean isGrouped();
}
