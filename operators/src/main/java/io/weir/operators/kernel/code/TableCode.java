package io.weir.operators.kernel.code;

import io.weir.operators.map.EntryLayout;
import java.util.List;
import java.util.stream.IntStream;

/** A hash table in a kernel's update: its local, and how keys are found in it. */
final class TableCode {
    /** A local: below 0 where one of its narrow words has become large. */
    static final String HIGH = "high";

    private final String name;
    private final int number;
    private final EntryLayout layout;

    /** Bytes from an entry of the batch to its key. */
    private int key;

    private boolean sought;

    /**
     * @param name of the local
     * @param number of the table among the pane's
     */
    TableCode(String name, int number, EntryLayout layout) {
        this.name = name;
        this.number = number;
        this.layout = layout;
    }

    String name() {
        return name;
    }

    EntryLayout layout() {
        return layout;
    }

    private String type() {
        if (layout.isDirect()) {
            return "FlatMapDirect";
        }
        return switch (layout.keyBytes()) {
            case Integer.BYTES -> "FlatMapInt";
            case Long.BYTES -> "FlatMap1";
            case 2 * Long.BYTES -> "FlatMap2";
            default -> "FlatMapN";
        };
    }

    /** Whether keys are passed by their address, rather than in registers. */
    boolean isWide() {
        return layout.keyBytes() > 2 * Long.BYTES;
    }

    /** Keeps the words of the key that is to be found. */
    void keep(BatchCode batch, List<String> words) {
        key = batch.keepKey(words);
    }

    /** The local: the table of a pane, or of none yet where that is empty. */
    void declare(Block method, String pane) {
        method.line(type() + " " + name + " = " + (pane.isEmpty() ? "null" : of(pane)) + ";");
    }

    /** The local of counts of four bytes, where there are any. */
    void declareHigh(Block method) {
        if (hasCounts()) {
            method.line("int " + HIGH + " = 0;");
        }
    }

    /** Lines after a batch, for those that have become large. */
    void carry(Block method) {
        if (hasCounts()) {
            method.braces("if (" + HIGH + " < 0)").line("full += " + name + ".carry();");
        }
    }

    private boolean hasCounts() {
        return IntStream.range(0, layout.valueWords()).anyMatch(layout::isCount);
    }

    private String of(String pane) {
        return "(" + type() + ") " + pane + ".table(" + number + ")";
    }

    /** Whether {@link #find} uses homes that are sought for the whole batch. */
    boolean isSought() {
        return sought;
    }

    /** Asks for the homes of the batch's last keys, and for lines ahead of a reader. */
    String ahead(String near) {
        return "(" + of("panes.pane()") + ").ahead(batch, " + key + ", n, " + near + ", next);";
    }

    /**
     * Tells C's call that reads keys of this table, as one of several.
     *
     * @param room for so many entries that it may add; null where it adds none
     */
    String tell(int number, String room) {
        String where = "(batch, " + number + ", " + key + ", entry";
        return name
                + (room == null
                        ? ".describe" + where + ");"
                        : ".offer" + where + ", " + room + ");");
    }

    /** Says that the call has found the keys' homes; and has added. */
    String heed(int number, boolean adds) {
        return name + (adds ? ".accept(batch, " + number + ", after);" : ".knows(batch, after);");
    }

    /** Lines after what C has added. */
    void carryIf(String isHigh, Block method) {
        if (hasCounts()) {
            method.braces("if (" + isHigh + ")").line("panes.count(0L, 0L, " + name + ".carry());");
        }
    }

    /** Looks for the homes of the keys of all entries. */
    String seek() {
        return name + ".seek(batch, " + key + ", n);";
    }

    /** Expression of the value's address, for the entry in turn, whose home is known. */
    String find() {
        return name + ".find(" + keyOfEntry() + ")";
    }

    /** The same in a batch whose homes are sought, all of them. */
    String findSought() {
        sought = true;
        return find();
    }

    /** Declares where a direct table lies. */
    void declarePlace(Block method) {
        method.line("long table = " + name + ".values();");
        method.line("long keys = " + name + ".keys();");
    }

    /** Says where a direct table lies now. */
    void place(Block block) {
        block.line("table = " + name + ".values();").line("keys = " + name + ".keys();");
    }

    /** Expression of the value's address in a direct table, in the lane whose turn it is. */
    String at(String key, ShortTuples tuples) {
        String slot = "table + " + key + " * " + layout.strideBytes() + "L";
        return layout.lanes() == 1 ? slot : slot + " + " + tuples.inTurn(layout.laneBytes());
    }

    /** Condition that it has a slot for the key. */
    static String hasSlot(String key) {
        return key + " < keys";
    }

    /** Says that there is an entry, where none of its values does. */
    void mark(Block block) {
        if (layout.hasWordBehind()) {
            String at = Text.at("slot", (long) layout.valueWords() * Long.BYTES);
            block.line("Memory.putLong(" + at + ", 1L);");
        }
    }

    /** As {@link #find}, where the home is not known: the table may move. */
    String findAlone() {
        return name + ".findAt(" + keyOfEntry() + ")";
    }

    /** The same for words in locals. Not for wide keys. */
    String findAlone(List<String> words) {
        return name + ".findAlone(" + String.join(", ", words) + ")";
    }

    /** The same for words that update has worked out, after the lines that lay them out. */
    String findAlone(Block block, BatchCode batch, List<String> words) {
        if (!isWide()) {
            return findAlone(words);
        }
        key = batch.scratch(words.size());
        for (int w = 0; w < words.size(); w++) {
            String at = Text.at("entry", key + w * (long) Long.BYTES);
            block.line("Memory.putLong(" + at + ", " + words.get(w) + ");");
        }
        return findAlone();
    }

    /**
     * Expression of -1 where what is at home is not the entry in turn, else 0. Not for wide keys.
     */
    String away() {
        return name + ".away(" + keyOfEntry() + ")";
    }

    /** Expression that makes entries for the batch's new keys, and has the end of their list. */
    String claim() {
        return name + ".claim(batch, " + key + ", n)";
    }

    /** Expression of the address of the value at home, the key's or another's. */
    String atHome() {
        return name + ".atHome(" + keyOfEntry() + ")";
    }

    /** Expression of the value's address, where it is at home; else of scratch. */
    String slot() {
        return name + ".slot(" + keyOfEntry() + ", away)";
    }

    /** Says where the entry in turn is, as if that were its home; without a slot that of 0. */
    String keepSlot() {
        String home = Text.at("entry", key - (long) Long.BYTES);
        return "Memory.putLong(" + home + ", slot - " + layout.keyBytes() + "L);";
    }

    private String keyOfEntry() {
        return Text.at("entry", key);
    }
}
