package io.weir.operators.kernel.code;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines of generated source, with blocks inside blocks. An inner block keeps its place and can be
 * written to later. So code that a packet loop needs from the header can be added above the loop at
 * any time.
 */
final class Block {
    private final List<Object> items = new ArrayList<>();

    /** Adds a line, or several. */
    Block line(String text) {
        items.add(text);
        return this;
    }

    /** Adds a block in this place, at the same indentation. */
    Block part() {
        Block part = new Block();
        items.add(part);
        return part;
    }

    /** Puts another block here. */
    Block add(Block block) {
        items.add(block);
        return this;
    }

    /** Adds a block in braces after {@code head}. */
    Block braces(String head) {
        items.add(head + " {");
        Block inner = new Block();
        items.add(new Indented(inner));
        items.add("}");
        return inner;
    }

    boolean isEmpty() {
        return items.stream().allMatch(item -> item instanceof Block block && block.isEmpty());
    }

    String text() {
        StringBuilder text = new StringBuilder();
        print(text, "");
        return text.toString();
    }

    private void print(StringBuilder text, String indent) {
        for (int i = 0; i < items.size(); i++) {
            Object item = items.get(i);
            if (item.equals("}") && i + 1 < items.size() && isElse(items.get(i + 1))) {
                item = "} " + items.get(++i);
            }
            if (item instanceof Block block) {
                block.print(text, indent);
            } else if (item instanceof Indented indented) {
                indented.block.print(text, indent + "    ");
            } else {
                for (String line : ((String) item).split("\n", -1)) {
                    text.append(line.isEmpty() ? "" : indent).append(line).append('\n');
                }
            }
        }
    }

    private static boolean isElse(Object item) {
        return item instanceof String line && line.startsWith("else");
    }

    private record Indented(Block block) {}
}
