package io.weir.operators.kernel.code;

import io.weir.operators.map.EntryLayout;
import java.util.List;
import java.util.stream.IntStream;

/** A hash table in a kernel's update: its local, and the code that finds keys in it. */
final class TableCode {
    /** A local that is below 0 when a narrow word of the table has become large. */
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

    /** Returns whether keys are passed by their address, rather than in registers. */
    boolean isWide() {
        return layout.keyBytes() > 2 * Long.BYTES;
    }

    /** Keeps the words of the key that will be sought. */
    void keep(BatchCode batch, List<String> words) {
        key = batch.keepKey(words);
    }

    /** Declares the local: the table of a pane, or of none if the pane is empty. */
    void declare(Block method, String pane) {
        method.line(type() + " " + name + " = " + (pane.isEmpty() ? "null" : of(pane)) + ";");
    }

    /** Declares the local for counts of four bytes, if there are any. */
    void declareHigh(Block method) {
        if (hasCounts()) {
            method.line("int " + HIGH + " = 0;");
        }
    }

    /** Writes lines after a batch for counts that have become large. */
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

    /** Returns whether {@link #find} uses home slots that are sought for the whole batch. */
    boolean isSought() {
        return sought;
    }

    /** Prefetches the home slots of the batch's last keys, and lines ahead of a reader. */
    String ahead(String near) {
        return "(" + of("panes.pane()") + ").ahead(batch, " + key + ", n, " + near + ", next);";
    }

    /**
     * Passes this table to C's call as one of several that it reads keys for.
     *
     * @param room the number of entries that it may add; null if it adds none
     */
    String tell(int number, String room) {
        String where = "(batch, " + number + ", " + key + ", entry";
        return name
                + (room == null
                        ? ".describe" + where + ");"
                        : ".offer" + where + ", " + room + ");");
    }

    /** Notes that the call has found the keys' home slots, and perhaps has added. */
    String heed(int number, boolean adds) {
        return name + (adds ? ".accept(batch, " + number + ", after);" : ".knows(batch, after);");
    }

    /** Lines after what C has added. */
    void carryIf(String isHigh, Block method) {
        if (hasCounts()) {
            method.braces("if (" + isHigh + ")").line("panes.count(0L, 0L, " + name + ".carry());");
        }
    }

    /** Finds the home slots of the keys of all entries. */
    String seek() {
        return name + ".seek(batch, " + key + ", n);";
    }

    /**
     * Returns the expression for the value's address, for the current entry, whose home slot is
     * known.
     */
    String find() {
        return name + ".find(" + keyOfEntry() + ")";
    }

    /** Does the same in a batch whose home slots are all sought. */
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

    /** Returns the expression for the value's address in a direct table, in the current lane. */
    String at(String key, ShortTuples tuples) {
        String slot = "table + " + key + " * " + layout.strideBytes() + "L";
        return layout.lanes() == 1 ? slot : slot + " + " + tuples.inTurn(layout.laneBytes());
    }

    /** Returns the condition that the direct table has a slot for the key. */
    static String hasSlot(String key) {
        return key + " < keys";
    }

    /** Marks an entry as present if none of its values can show it. */
    void mark(Block block) {
        if (layout.hasWordBehind()) {
            String at = Text.at("slot", (long) layout.valueWords() * Long.BYTES);
            block.line("Memory.putLong(" + at + ", 1L);");
        }
    }

    /** Does the same as {@link #find} without a known home slot: the table may move. */
    String findAlone() {
        return name + ".findAt(" + keyOfEntry() + ")";
    }

    /** Does the same for words in locals. Not for wide keys. */
    String findAlone(List<String> words) {
        return name + ".findAlone(" + String.join(", ", words) + ")";
    }

    /** Does the same for words that update has computed, after the lines that store them. */
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
     * Returns the expression that is -1 if the home slot has another entry, otherwise 0. Not for
     * wide keys.
     */
    String away() {
        return name + ".away(" + keyOfEntry() + ")";
    }

    /**
     * Returns the expression that makes entries for the batch's new keys, and has the end of their
     * list.
     */
    String claim() {
        return name + ".claim(batch, " + key + ", n)";
    }

    /**
     * Returns the expression for the address of the value in the home slot, the key's or another's.
     */
    String atHome() {
        return name + ".atHome(" + keyOfEntry() + ")";
    }

    /**
     * Returns the expression for the value's address if the key is at home, otherwise for scratch.
     */
    String slot() {
        return name + ".slot(" + keyOfEntry() + ", away)";
    }

    /** Notes the current entry's slot as if it were its home slot. A missing slot is 0. */
    String keepSlot() {
        String home = Text.at("entry", key - (long) Long.BYTES);
        return "Memory.putLong(" + home + ", slot - " + layout.keyBytes() + "L);";
    }

    private String keyOfEntry() {
        return Text.at("entry", key);
    }
}
