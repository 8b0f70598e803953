package io.weir.operators.kernel.code;

import java.util.List;

/** A hash table in a kernel: its local, and how it is probed. */
final class TableCode {
    private final String name;
    private final int number;
    private final int words;

    /**
     * @param name of the local
     * @param number of the table among the pane's
     */
    TableCode(String name, int number, int words) {
        this.name = name;
        this.number = number;
        this.words = words;
    }

    String name() {
        return name;
    }

    String type() {
        return words <= 2 ? "FlatMap" + words : "FlatMapN";
    }

    void declare(Block block) {
        block.line(type() + " " + name + " = null;");
        if (words > 2) {
            block.line("long " + name + "Key = panes.key(" + number + ");");
        }
    }

    /** Takes the current pane's table. */
    void select(Block block) {
        block.line(name + " = (" + type() + ") panes.table(" + number + ");");
    }

    /** Expression of the value's address, after the lines that lay out the key. */
    String find(Block block, List<String> key) {
        if (words <= 2) {
            return name
                    + ".find("
                    + String.join(", ", key.stream().map(Text::unwrap).toList())
                    + ")";
        }
        for (int w = 0; w < words; w++) {
            String at = Text.at(name + "Key", (long) w * Long.BYTES);
            block.line("Memory.putLong(" + at + ", " + Text.unwrap(key.get(w)) + ");");
        }
        return name + ".find(" + name + "Key)";
    }
}
