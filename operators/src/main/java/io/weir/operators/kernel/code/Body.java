package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.List;
import java.util.Optional;

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

    /** Of so many packets of a GPV, at most, it makes entries at a time. */
    int most();

    /**
     * What {@link io.weir.operators.kernel.GatherKernel} is made of, where C reads the GPVs that
     * are whole within the pane and the gate; empty where {@code run} does.
     */
    default Optional<String> gathers(boolean paned) {
        return Optional.empty();
    }

    /** Condition that the batch has no room for so many more entries. */
    String lacks(String more);

    /** Puts the batch into the tables. */
    void flush(Block block);

    /**
     * Lines after a few GPVs, where there is a pane, that ask for memory, or make use of what came.
     *
     * @param lines whether for those of GPVs to come, too, where it asks for any
     */
    void ahead(Block block, boolean lines);

    /** Sets them to the current pane's. */
    void select(Block block);

    /** Has none of them used: there is no current pane. */
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

    /** Whether there is anything to do for each packet, beside the input's lines. */
    boolean loops();

    /** Whether each packet is read, in whatever way, while GPVs are gone through. */
    default boolean readsTuples() {
        return loops();
    }
}
