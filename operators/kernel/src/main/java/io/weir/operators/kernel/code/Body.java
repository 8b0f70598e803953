package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.List;
import java.util.Optional;

/** Generates the code for the packets that pass a kernel's filter. */
interface Body {
    /** The kind of entries that go into the batch while packets are read. */
    enum Entries {
        NONE,
        GPV,
        PACKET
    }

    /** Writes the code, with the filters that must be tested for each packet. */
    void write(List<Expr> packetFilters);

    /** Returns the kind of entries. It is known once the code is written. */
    Entries entries();

    /**
     * Declares locals for the parts of the pane.
     *
     * @param entered whether there is a current pane, for the whole run
     */
    void declare(Block method, boolean entered);

    /** Returns the most packets of a GPV that become entries at a time. */
    int most();

    /**
     * Returns the parts of a {@link io.weir.operators.kernel.GatherKernel}, if C reads the GPVs
     * that are whole within the pane and the gate. It is empty if {@code run} reads them.
     */
    default Optional<String> gathers(boolean paned) {
        return Optional.empty();
    }

    /** Returns the condition that the batch has no room for so many more entries. */
    String lacks(String more);

    /** Puts the batch into the tables. */
    void flush(Block block);

    /**
     * Writes lines after a few GPVs, if there is a pane. They prefetch memory or use what has come.
     *
     * @param lines whether to prefetch lines of later GPVs too
     */
    void ahead(Block block, boolean lines);

    /** Sets the locals to those of the current pane. */
    void select(Block block);

    /** Makes the locals unusable, because there is no current pane. */
    default void deselect(Block block) {}

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

    /** Returns whether there is work for each packet, beside the input's lines. */
    boolean loops();

    /** Returns whether each packet is read, in any way, while the GPVs are read. */
    default boolean readsTuples() {
        return loops();
    }
}
