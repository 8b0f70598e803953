package io.weir.operators.kernel.code;

import io.weir.operators.map.EntryLayout;
import java.util.ArrayList;
import java.util.List;

/** A hash table in a kernel's update: its local, and how a batch of keys is found in it. */
final class TableCode {
    private final String name;
    private final int number;
    private final EntryLayout layout;
    private final List<String> key = new ArrayList<>();
    private int firstColumn;
    private BatchCode batch;
    private boolean found;

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
        return switch (layout.keyBytes()) {
            case Integer.BYTES -> "FlatMapInt";
            case Long.BYTES -> "FlatMap1";
            case 2 * Long.BYTES -> "FlatMap2";
            default -> "FlatMapN";
        };
    }

    /** Whether keys are passed by column, rather than in registers. */
    boolean isWide() {
        return layout.keyBytes() > 2 * Long.BYTES;
    }

    /** Keeps the words of the key that is to be found. */
    void keep(BatchCode into, String wanted, List<String> words) {
        batch = into;
        if (isWide()) {
            firstColumn = batch.keepInOrder(wanted, words);
        } else {
            words.forEach(word -> key.add(batch.keepColumn(wanted, word)));
        }
    }

    /** The local: the table of a pane, or of none yet where that is empty. */
    void declare(Block method, String pane) {
        method.line(type() + " " + name + " = " + (pane.isEmpty() ? "null" : of(pane)) + ";");
    }

    /** Sets the local to another pane's table. */
    void select(Block block, String pane) {
        block.line(name + " = " + of(pane) + ";");
    }

    private String of(String pane) {
        return "(" + type() + ") " + pane + ".table(" + number + ")";
    }

    /** Looks for the homes of all keys, where {@link #find} is to use them. */
    void seek(Block method) {
        if (!found) {
            return;
        }
        method.line(name + ".seek(" + columns() + "n);");
    }

    /** Whether {@link #find} uses homes that are sought. */
    boolean isSought() {
        return found;
    }

    /** Asks for the homes of the last keys. */
    void ahead(Block method) {
        List<String> words = new ArrayList<>();
        if (isWide()) {
            words.add("batch.columns()");
            words.add(Integer.toString(firstColumn));
        } else {
            key.forEach(word -> words.add(batch.column(word.replace("[i]", ""))));
        }
        method.line("(" + of("pane") + ").ahead(" + String.join(", ", words) + ", n);");
    }

    private String columns() {
        if (isWide()) {
            return "batch.columns(), " + firstColumn + ", ";
        }
        StringBuilder columns = new StringBuilder();
        key.forEach(word -> columns.append(word.replace("[i]", "")).append(", "));
        return columns.toString();
    }

    /**
     * Copies the key of the entry in turn to columns of its own; their names. Not for wide keys.
     */
    List<String> setAside(Block block, String index) {
        List<String> columns = new ArrayList<>();
        for (String word : key) {
            String column = batch.scratch(index + "_keys");
            block.line(column + "[" + index + "] = " + word + ";");
            columns.add(column);
        }
        return columns;
    }

    /** Looks for the homes of so many keys in columns. */
    String seek(List<String> columns, String count) {
        return name + ".seek(" + String.join(", ", columns) + ", " + count + ");";
    }

    /** Expression of the value's address, for a key in columns. */
    String find(List<String> columns, String index) {
        String at = "[" + index + "]";
        return name + ".find(" + index + ", " + String.join(at + ", ", columns) + at + ")";
    }

    /** As {@link #find}, for a key whose home was not sought: the table may move. */
    String findAlone() {
        return isWide()
                ? name + ".findAlone(batch.columns(), " + firstColumn + ", i)"
                : findAlone(key);
    }

    /** The same for words in locals. Not for wide keys. */
    String findAlone(List<String> words) {
        return name + ".findAlone(" + String.join(", ", words) + ")";
    }

    /** The same for words that update has worked out, after the lines that lay them out. */
    String findAlone(Block block, BatchCode into, List<String> words) {
        if (!isWide()) {
            return findAlone(words);
        }
        batch = into;
        firstColumn = into.columns();
        for (String word : words) {
            block.line(into.scratch(name + "_key") + "[i] = " + word + ";");
        }
        return findAlone();
    }

    /** Expression of the value's address, for the entry in turn. */
    String find() {
        found = true;
        return isWide()
                ? name + ".find(batch.columns(), " + firstColumn + ", i)"
                : name + ".find(i, " + String.join(", ", key) + ")";
    }

    /** Expression of -1 where what is at home is not the entry in turn, else 0. Not for wide keys. */
    String away() {
        return name + ".away(i, " + String.join(", ", key) + ")";
    }
}
