package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.List;

/** What a kernel does with the packets that come through its filter. */
interface Body {
    /** Writes the code, with the filters that are to be tested for each packet. */
    void write(List<Expr> packetFilters);

    /** Declares locals for the pane's tables or rows. */
    void declare(Block method);

    /** Sets them to the current pane's. */
    void select(Block block);

    /** Lines before the packet loop. */
    Block before();

    /** Lines after it. */
    Block after();

    /** Whether there is anything to do for each packet. */
    boolean loops();
}
