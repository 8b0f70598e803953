package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.List;

/** What a kernel does with the packets that come through its filter. */
interface Body {
    /** What is put into the batch, at most, while packets are read. */
    enum Entries {
        NONE,
        GPV,
        PACKET
    }

    /** Writes the code, with the filters that are to be tested for each packet. */
    void write(List<Expr> packetFilters);

    /** Once the code is written. */
    Entries entries();

    /**
     * Declares locals for what the pane holds.
     *
     * @param entered whether there is a current pane, for the whole run
     */
    void declare(Block method, boolean entered);

    /** Condition that the batch has no room for so many more entries. */
    String lacks(String more);

    /** Puts the batch into the tables. */
    void flush(Block block);

    /** Lines that ask for memory which the last GPVs will need, where there is a pane. */
    void ahead(Block block);

    /** Sets them to the current pane's. */
    void select(Block block);

    /** Lines after a part of a GPV, whose packets may have moved tables. */
    void moved(Block block);

    /** Lines before another pane becomes the current one, and at the end. */
    void leave(Block block);

    /** Lines at the end, when the pane was left. */
    void finish(Block method);

    /** Further methods. */
    void members(Block members);

    /** Lines before the packet loop. */
    Block before();

    /** Lines after it. */
    Block after();

    /**
     * Where it leaves a GPV that it has taken as a whole so far, at a packet that needs a call; the
     * GPV's other packets are taken as a part then. Null where it never does.
     */
    Block leftOver();

    /**
     * Lines for each packet, after the input's.
     *
     * @param whole whether of a GPV that is taken as a whole
     */
    Block each(boolean whole);

    /** Whether there is anything to do for each packet. */
    boolean loops();
}
