package io.weir.operators.kernel.code;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Symbols;
import io.weir.operators.rows.RowLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Reads columns of a query's rows. A row is like a GPV with a header and one packet. A text gets a
 * number again where it is stored, because the number in a batch is good only as long as the batch.
 */
final class RowInput implements Input {
    private final RowLayout layout;
    private final Names names;
    private final Operator.Scan scan;
    private final Block block;
    private final Map<String, Value> loaded = new HashMap<>();
    private String time;

    /**
     * @param scan names the column with the row's time; rows without one have the last instant of
     *     their batch
     */
    RowInput(RowLayout layout, Names names, Operator.Scan scan, Block block) {
        this.layout = layout;
        this.names = names;
        this.scan = scan;
        this.block = block;
    }

    @Override
    public Block outer() {
        return block;
    }

    @Override
    public Block inner() {
        return block;
    }

    @Override
    public String count() {
        return "1";
    }

    @Override
    public Optional<String> sum(Expr.Variable column) {
        return Optional.empty();
    }

    @Override
    public Optional<String> countOf(Match match, LongFunction<String> literal) {
        return Optional.empty();
    }

    @Override
    public GatherCode gather() {
        return new GatherCode(null);
    }

    @Override
    public boolean isGrouped() {
        return false;
    }

    @Override
    public String time() {
        int column = layout.indexOf(scan.time());
        if (column < 0) {
            return "(endNs - 1L)";
        }
        String told = value(layout.columns().get(column)).code();
        return scan.reads().shiftNs() == 0 ? told : shifted(told);
    }

    private String shifted(String told) {
        if (time == null) {
            time = local("long", "time", told + " - " + -scan.reads().shiftNs() + "L");
        }
        return time;
    }

    @Override
    public boolean isPerPacket(Expr.Variable variable) {
        return false;
    }

    @Override
    public Value value(Expr.Variable variable) {
        return loaded.computeIfAbsent(variable.name(), this::load);
    }

    private Value load(String name) {
        int column = layout.indexOf(name);
        if (column < 0) {
            throw new IllegalArgumentException("no column " + name + " in the rows");
        }
        Kind kind = layout.kind(column);
        int offset = layout.offset(column);
        String nul = layout.columns().get(column).type().nullable() ? nul(name, column) : null;
        if (kind == Kind.INET) {
            String family = local("long", name + "_family", word(offset));
            String high = local("long", name + "_high", word(offset + Long.BYTES));
            String low = local("long", name + "_low", word(offset + 2 * Long.BYTES));
            return Value.inet(family, high, low).withNull(nul);
        }
        if (kind == Kind.VARCHAR) {
            String text = Code.call(Symbols.class, "text", word(offset));
            return Value.text(local("String", name, text)).withNull(nul);
        }
        String type = Value.of(kind, "").javaType();
        String code = Text.unwrap(Value.load(kind, Text.at("row", offset)));
        return Value.of(kind, local(type, name, code)).withNull(nul);
    }

    private String nul(String name, int column) {
        String bits = word((column >> 6) * Long.BYTES) + " >>> " + (column & 63) + " & 1L";
        return local("boolean", name + "_null", "(" + bits + ") != 0L");
    }

    private static String word(int offset) {
        return "Memory.getLong(" + Text.at("row", offset) + ")";
    }

    private String local(String type, String name, String code) {
        String local = names.fresh(name);
        block.line(type + " " + local + " = " + code + ";");
        return local;
    }
}
