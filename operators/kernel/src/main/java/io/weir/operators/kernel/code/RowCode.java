package io.weir.operators.kernel.code;

import io.weir.operators.graph.Kind;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.List;

/** Statements that write a row. */
final class RowCode {
    private RowCode() {}

    /**
     * Writes values at {@code base + offset}.
     *
     * @param zeroed whether the row is all zeros, so that zeros and NULLs need no code
     */
    static void write(
            Block block,
            RowLayout layout,
            String base,
            int offset,
            List<Value> values,
            boolean zeroed) {
        for (int w = 0; w < layout.nullWords(); w++) {
            String bits = nulls(values, w);
            if (!zeroed || !bits.equals("0L")) {
                put(block, base, offset + w * Long.BYTES, bits);
            }
        }
        for (int c = 0; c < values.size(); c++) {
            Value value = values.get(c);
            int at = offset + layout.offset(c);
            if (value.kind() == Kind.INET) {
                put(block, base, at, value.orZero(value.family()));
                put(block, base, at + Long.BYTES, value.orZero(value.high()));
                put(block, base, at + 2 * Long.BYTES, value.orZero(value.code()));
            } else {
                put(block, base, at, value.orZero(value.word()));
            }
        }
    }

    private static String nulls(List<Value> values, int word) {
        List<String> bits = new ArrayList<>();
        for (int c = word * Long.SIZE; c < values.size() && c < (word + 1) * Long.SIZE; c++) {
            String nul = values.get(c).nul();
            if (nul != null) {
                bits.add(Text.choose(nul, Text.number(1L << (c % Long.SIZE)), "0L"));
            }
        }
        return bits.isEmpty() ? "0L" : String.join(" | ", bits);
    }

    private static void put(Block block, String base, int at, String code) {
        block.line("Memory.putLong(" + Text.at(base, at) + ", " + Text.unwrap(code) + ");");
    }
}
