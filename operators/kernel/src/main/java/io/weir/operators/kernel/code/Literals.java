package io.weir.operators.kernel.code;

import io.weir.operators.graph.Symbol;
import io.weir.operators.graph.Symbols;
import java.util.ArrayList;
import java.util.List;

/**
 * The literals of a query, kept out of the source. The constructor sets them as fields, so that
 * queries that differ only in literals share one class.
 */
final class Literals {
    private static final int MOST_LOCALS = 32;

    private record Entry(String type, long bits, String shown) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<Symbol> symbols = new ArrayList<>();

    String add(String text) {
        Symbol symbol = Symbols.of(text);
        symbols.add(symbol);
        return add(symbol.id(), text);
    }

    String add(long value, String shown) {
        return add(new Entry("long", value, shown));
    }

    String add(double value) {
        return add(new Entry("double", Double.doubleToRawLongBits(value), Double.toString(value)));
    }

    private String add(Entry entry) {
        entries.add(entry);
        return "literal" + (entries.size() - 1);
    }

    /** Returns the values for the constructor. */
    List<Long> words() {
        return entries.stream().map(Entry::bits).toList();
    }

    /** Returns the strings among them, which keep their numbers as long as somebody has these. */
    List<Symbol> symbols() {
        return List.copyOf(symbols);
    }

    /** Returns comment lines that say what each literal is in this query. */
    String comment() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < entries.size(); i++) {
            text.append("// literal").append(i).append(" = ").append(entries.get(i).shown());
            text.append('\n');
        }
        return text.toString();
    }

    void declare(Block members, String className, String base) {
        for (int i = 0; i < entries.size(); i++) {
            members.line("private final " + entries.get(i).type() + " literal" + i + ";");
        }
        Block constructor = members.braces("public " + className + "(long[] literals)");
        if (!base.isEmpty()) {
            constructor.line("super(" + base + ");");
        }
        for (int i = 0; i < entries.size(); i++) {
            boolean real = entries.get(i).type().equals("double");
            String word = "literals[" + i + "]";
            String value = real ? "Double.longBitsToDouble(" + word + ")" : word;
            constructor.line("this.literal" + i + " = " + value + ";");
        }
    }

    /**
     * Copies the fields into locals for loops. They are few: the JIT refuses methods that are too
     * large.
     */
    void copyToLocals(Block method) {
        for (int i = 0; i < entries.size() && entries.size() <= MOST_LOCALS; i++) {
            method.line(entries.get(i).type() + " literal" + i + " = this.literal" + i + ";");
        }
    }
}
