package io.weir.operators.kernel.code;

import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The batch between a kernel's two methods: columns that {@code run} fills at {@code n} and {@code
 * update} reads at {@code i}.
 */
final class BatchCode {
    private static final Pattern CONSTANT = Pattern.compile("true|false|\\(?-?[0-9.]+L?\\)?");

    private record Column(String name, String code) {}

    private record Local(String type, String name, String value) {}

    private final Names names;
    private final List<Column> columns = new ArrayList<>();
    private final Map<String, String> known = new HashMap<>();
    private boolean collects;

    BatchCode(Names names) {
        this.names = names;
    }

    /** Keeps a long; what it is in update. Equal code is kept once. */
    String keep(String wanted, String code) {
        return CONSTANT.matcher(code).matches() ? code : keepColumn(wanted, code);
    }

    /** Keeps a long in a column even where it is a constant. */
    String keepColumn(String wanted, String code) {
        return known.computeIfAbsent(code, c -> at(names.fresh(wanted + "s"), c));
    }

    private String at(String name, String code) {
        columns.add(new Column(name, code));
        return name + "[i]";
    }

    /** Keeps a boolean. */
    String keepTruth(String wanted, String code) {
        String kept = keep(wanted, Text.choose(code, "1L", "0L"));
        return switch (kept) {
            case "1L" -> "true";
            case "0L" -> "false";
            default -> "(" + kept + " != 0L)";
        };
    }

    /** Keeps a value that is not NULL. */
    Value keep(String wanted, Value value) {
        if (value.kind() == Kind.BOOLEAN) {
            return Value.of(value.kind(), keepTruth(wanted, value.code()));
        } else if (value.kind() == Kind.DOUBLE) {
            String bits = keep(wanted, "Double.doubleToRawLongBits(" + value.code() + ")");
            return Value.of(value.kind(), "Double.longBitsToDouble(" + bits + ")");
        }
        return value.mapWords(code -> keep(wanted, code));
    }

    /** Keeps words in columns that follow each other: the first one's number. */
    int keepInOrder(String wanted, List<String> codes) {
        int first = columns.size();
        codes.forEach(code -> at(names.fresh(wanted + "s"), code));
        return first;
    }

    /** A column that update fills for itself. */
    String scratch(String wanted) {
        String name = names.fresh(wanted);
        columns.add(new Column(name, null));
        return name;
    }

    /** How many columns there are. */
    int columns() {
        return columns.size();
    }

    /** Whether anything is collected. */
    boolean isUsed() {
        return collects;
    }

    /** The locals of run; with their values, where a pane has been entered. */
    void declare(Block method, boolean entered) {
        locals().forEach(
                        local -> {
                            String value =
                                    entered
                                            ? local.value()
                                            : local.type().equals("int") ? "0" : "null";
                            method.line(local.type() + " " + local.name() + " = " + value + ";");
                        });
    }

    /** Takes the current pane's batch. */
    void select(Block block) {
        locals().forEach(local -> block.line(local.name() + " = " + local.value() + ";"));
    }

    private List<Local> locals() {
        List<Local> locals = new ArrayList<>();
        locals.add(new Local("Batch", "batch", "panes.batch(this)"));
        locals.add(new Local("Tables", "pane", "panes.pane()"));
        locals.add(new Local("int", "n", "batch.entries()"));
        for (int c = 0; c < columns.size(); c++) {
            if (columns.get(c).code() != null) {
                locals.add(new Local("long[]", columns.get(c).name(), "batch.column(" + c + ")"));
            }
        }
        return locals;
    }

    /** Expression of the column that is kept under that name. */
    String column(String name) {
        for (int c = 0; c < columns.size(); c++) {
            if (columns.get(c).name().equals(name)) {
                return "batch.column(" + c + ")";
            }
        }
        throw new IllegalArgumentException(name);
    }

    /** One more entry; there is room. */
    void collect(Block block) {
        collects = true;
        for (Column column : columns) {
            if (column.code() != null) {
                block.line(column.name() + "[n] = " + Text.unwrap(column.code()) + ";");
            }
        }
        block.line("n++;");
    }

    /** Puts the batch into the tables. */
    static void flush(Block block) {
        block.line("batch.entries(n);").line("update(panes, pane);").line("n = 0;");
    }

    /** The locals of update. */
    void read(Block method) {
        method.line("Batch batch = pane.batch();").line("int n = batch.take();");
        for (int c = 0; c < columns.size(); c++) {
            method.line("long[] " + columns.get(c).name() + " = batch.column(" + c + ");");
        }
    }
}
