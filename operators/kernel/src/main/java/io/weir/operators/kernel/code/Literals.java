package io.weir.operators.kernel.code;

import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Symbol;
import io.weir.operators.graph.Symbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The literals of a query, kept out of the source. The constructor sets them as fields, so that
 * queries that differ only in literals share one class.
 */
final class Literals {
    private static final int MOST_LOCALS = 32;

    private record Entry(String type, long bits, String shown) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<Symbol> symbols = new ArrayList<>();

    /** The literals that name lookup tables. */
    private final Map<Long, String> tables = new LinkedHashMap<>();

    String add(String text) {
        Symbol symbol = Symbols.of(text);
        symbols.add(symbol);
        return add(symbol.id(), text);
    }

    /** Returns the variable of a table's reader, which kernels declare once a block. */
    String add(LookupTable table) {
        return tables.computeIfAbsent(table.id(), id -> add(id, "table " + table.name()))
                .replace("literal", "table");
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
        declareTables(method);
    }

    /** Declares the readers of lookup tables, in a method with panes. */
    void declareTables(Block method) {
        for (String literal : tables.values()) {
            String table = literal.replace("literal", "table");
            method.line("TableReader " + table + " = panes.tables().of(" + literal + ");");
        }
    }
}
