package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Packs values into the fewest 64-bit words, the first value in the most significant bits. So the
 * unsigned order of the words is the order of the values, column by column, NULL last. One word is
 * filled from its low end, several from the first's high end.
 */
final class Packing {
    private static final int FAMILY_BITS = 8;

    /**
     * The place of one value in the bits. {@code inetBits}: 0 no INET, 32, 128, or 136 with family.
     */
    private record Column(Kind kind, boolean nullable, int bits, int inetBits, int start) {
        int end() {
            return start + bits + (nullable ? 1 : 0);
        }
    }

    private record Piece(String code, int bits) {}

    /**
     * A part of a word.
     *
     * @param by bits to the left; below 0 to the right
     */
    record Shifted(String code, int by) {
        private String text() {
            return by < 0 ? shifted(code, ">>>", -by) : shifted(code, "<<", by);
        }
    }

    private final List<Column> columns = new ArrayList<>();
    private final int bits;

    /**
     * @param family 4 or 6: columns of kind INET are of this family; 0: of either
     * @param ofRows whether columns are those of another query's rows, whose width is unknown
     */
    Packing(List<Expr> exprs, int family, boolean ofRows) {
        int start = 0;
        for (Expr expr : exprs) {
            boolean natural = family != 0 && isOfPacket(expr);
            int inetBits = natural ? family == 4 ? 32 : 128 : 128 + FAMILY_BITS;
            Kind kind = expr.type().kind();
            int width = kind == Kind.INET ? inetBits : Widths.bits(expr, ofRows);
            Column column =
                    new Column(
                            kind,
                            expr.type().nullable(),
                            width,
                            kind == Kind.INET ? inetBits : 0,
                            start);
            columns.add(column);
            start = column.end();
        }
        bits = start;
    }

    /**
     * Returns whether a value is a column, or a choice between columns. Addresses then have the
     * GPV's family.
     */
    static boolean isOfPacket(Expr expr) {
        if (expr instanceof Expr.Call call && call.function().equals(Functions.CASE)) {
            List<Expr> parts = call.arguments();
            for (int i = 0; i < parts.size(); i++) {
                boolean condition = i % 2 == 0 && i < parts.size() - 1;
                if (!condition && !isOfPacket(parts.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return expr instanceof Expr.Variable;
    }

    int bits() {
        return bits;
    }

    /**
     * Returns the places of the values, for readers without generated code.
     *
     * @param firstBit position of the first word's highest bit in the whole key
     */
    List<KeyField> fields(int firstBit) {
        List<KeyField> fields = new ArrayList<>();
        for (Column column : columns) {
            int at = firstBit + column.start() + lead();
            int familyBits = column.inetBits() > 128 ? FAMILY_BITS : 0;
            int nullAt = column.nullable() ? at : KeyField.NEVER_NULL;
            int valueAt = at + (column.nullable() ? 1 : 0);
            fields.add(new KeyField(column.kind(), nullAt, valueAt, column.bits(), familyBits));
        }
        return fields;
    }

    int words() {
        return (bits + Long.SIZE - 1) / Long.SIZE;
    }

    /** One expression for each word. */
    List<String> pack(List<Value> values) {
        return parts(values).stream().map(Packing::or).toList();
    }

    /** Returns the parts that are or-ed for each word. */
    List<List<Shifted>> parts(List<Value> values) {
        List<List<Shifted>> words = new ArrayList<>();
        for (int w = 0; w < words(); w++) {
            words.add(new ArrayList<>());
        }
        for (int c = 0; c < columns.size(); c++) {
            int at = columns.get(c).start() + lead();
            for (Piece piece : pieces(columns.get(c), values.get(c))) {
                place(words, piece, at);
                at += piece.bits();
            }
        }
        return words;
    }

    static String or(List<Shifted> parts) {
        List<String> texts = parts.stream().map(Shifted::text).toList();
        return texts.size() == 1 ? texts.get(0) : "(" + String.join(" | ", texts) + ")";
    }

    /** Unused bits before the first column. */
    private int lead() {
        return words() == 1 ? Long.SIZE - bits : 0;
    }

    private static List<Piece> pieces(Column column, Value value) {
        List<Piece> pieces = new ArrayList<>();
        if (column.nullable()) {
            String nul = value.nul() == null ? "false" : value.nul();
            pieces.add(new Piece(Text.choose(nul, "1L", "0L"), 1));
        }
        if (column.inetBits() > 128) {
            pieces.add(new Piece(value.orZero(value.family()), FAMILY_BITS));
        }
        if (column.inetBits() >= 128) {
            pieces.add(new Piece(value.orZero(value.high()), Long.SIZE));
        }
        int low = column.inetBits() >= 128 ? Long.SIZE : column.bits();
        pieces.add(new Piece(value.orZero(keyWord(value)), low));
        return pieces;
    }

    /** Makes equal values equal words: there is one zero, and one NaN. */
    private static String keyWord(Value value) {
        return value.kind() == Kind.DOUBLE
                ? "Double.doubleToLongBits(" + value.code() + " + 0.0)"
                : value.kind() == Kind.INET ? value.code() : value.word();
    }

    private static void place(List<List<Shifted>> words, Piece piece, int at) {
        int word = at / Long.SIZE;
        int room = Long.SIZE - at % Long.SIZE;
        int over = piece.bits() - room;
        if (over <= 0) {
            words.get(word).add(new Shifted(piece.code(), -over));
        } else {
            words.get(word).add(new Shifted(piece.code(), -over));
            words.get(word + 1).add(new Shifted(piece.code(), Long.SIZE - over));
        }
    }

    private static String shifted(String code, String sign, int by) {
        return by == 0 ? code : "(" + code + " " + sign + " " + by + ")";
    }

    /**
     * Reads a column's value from packed words.
     *
     * @param base expression of the address of the first word
     * @param family as when packed
     */
    Value unpack(int index, String base, int family) {
        Column column = columns.get(index);
        int at = column.start() + lead();
        String nul = null;
        if (column.nullable()) {
            nul = "(" + extract(base, at, 1) + " != 0L)";
            at++;
        }
        if (column.kind() != Kind.INET) {
            String word = extract(base, at, column.bits());
            return Value.of(column.kind(), Value.ofWord(column.kind(), word)).withNull(nul);
        }
        String familyCode = family + "L";
        if (column.inetBits() > 128) {
            familyCode = extract(base, at, FAMILY_BITS);
            at += FAMILY_BITS;
        }
        String high = "0L";
        if (column.inetBits() >= 128) {
            high = extract(base, at, Long.SIZE);
            at += Long.SIZE;
        }
        int low = column.inetBits() >= 128 ? Long.SIZE : column.bits();
        return Value.inet(familyCode, high, extract(base, at, low)).withNull(nul);
    }

    private String extract(String base, int at, int count) {
        int word = at / Long.SIZE;
        int after = Long.SIZE - at % Long.SIZE - count;
        String code = load(base, word);
        if (after >= 0) {
            code = shifted(code, ">>>", after);
        } else {
            String rest = shifted(load(base, word + 1), ">>>", Long.SIZE + after);
            code = "(" + shifted(code, "<<", -after) + " | " + rest + ")";
        }
        boolean nothingAbove = count == Long.SIZE || at % Long.SIZE == 0 || at == lead();
        return nothingAbove
                ? code
                : "(" + code + " & 0x" + Long.toHexString((1L << count) - 1) + "L)";
    }

    private static String load(String base, int word) {
        return "Memory.getLong(" + Text.at(base, (long) word * Long.BYTES) + ")";
    }
}
