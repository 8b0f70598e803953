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

    /** Of so many packets of a GPV, at most, it makes entries at a time. */
    int most();

    /** Members that hold what is the same for all runs. */
    default void fields(Block members) {}

    /** Whether C reads GPVs, as long as they are whole within the pane and the gate. */
    default boolean gathers() {
        return false;
    }

    /**
     * Has it read those from {@code next} on: as many as are left after {@code g}, as long as the
     * batch has room.
     *
     * @param from expression of a time before which a GPV has no packet
     * @param until it has none at this time, or later
     */
    default void gather(Block block, String from, String until) {
        throw new IllegalStateException("packets are read one by one");
    }

    /** Condition that the batch has no room for so many more entries. */
    String lacks(String more);

    /** Puts the batch into the tables. */
    void flush(Block block);

    /** Lines after a few GPVs, where there is a pane, that ask for memory; none for the usual. */
    void ahead(Block block);

    /** Sets them to the current pane's. */
    void select(Block block);

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
}
