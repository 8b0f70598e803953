package io.weir.operators.when;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Symbol;
import io.weir.operators.graph.Symbols;
import io.weir.operators.kernel.BindingFeed;
import java.util.ArrayList;
import java.util.List;

/**
 * A binding's key and values as the words that kernels read.
 *
 * @param symbols the strings among them. Their numbers are valid as long as somebody has these
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BindingWords(long[] key, long[] values, List<Symbol> symbols) {
    /** Makes the words of a binding, and of values of the row that wakes it. */
    public static BindingWords of(Correlation correlation, Binding binding, List<Object> shown) {
        List<Symbol> symbols = new ArrayList<>();
        long[] key = new long[BindingFeed.keyWords(correlation)];
        int at = 0;
        for (Object value : binding.values()) {
            at = put(value, key, at, symbols);
        }
        long[] values = new long[BindingFeed.valueWords(correlation)];
        int to = 0;
        for (int v = 0; v < shown.size(); v++) {
            Expr.Variable column = correlation.values().get(v);
            Object value = shown.get(v);
            values[to] = value == null ? 1 : 0;
            int words = put(value == null ? zero(column) : value, values, to + 1, symbols);
            to = words;
        }
        return new BindingWords(key, values, symbols);
    }

    private static Object zero(Expr.Variable column) {
        return switch (column.type().kind()) {
            case INET -> Inet.v4(0);
            case BOOLEAN -> false;
            case DOUBLE -> 0.0;
            default -> 0L;
        };
    }

    /** Writes the words of a value. Returns the next place. */
    private static int put(Object value, long[] words, int at, List<Symbol> symbols) {
        if (value instanceof Inet address) {
            words[at] = address.family();
            words[at + 1] = address.high();
            words[at + 2] = address.low();
            return at + 3;
        } else if (value instanceof String text) {
            Symbol symbol = Symbols.of(text);
            symbols.add(symbol);
            words[at] = symbol.id();
        } else if (value instanceof Boolean truth) {
            words[at] = truth ? 1 : 0;
        } else if (value instanceof Double real) {
            words[at] = Double.doubleToLongBits(real);
        } else {
            words[at] = (Long) value;
        }
        return at + 1;
    }
}
