package io.weir.operators.kernel;

import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Symbols;
import io.weir.operators.kernel.code.KeyField;
import io.weir.operators.memory.Memory;
import java.util.List;

/**
 * The order of groups by their keys, column by column. Numbers are unsigned words. Texts are in the
 * order of their letters, because their numbers differ from run to run. Immutable.
 */
final class KeyOrder implements AddressSort.Order {
    private final int words;
    private final List<KeyField> texts;

    /**
     * @param words of a key
     * @param fields the values in it
     */
    KeyOrder(int words, List<KeyField> fields) {
        this.words = words;
        texts = fields.stream().filter(field -> field.kind() == Kind.VARCHAR).toList();
    }

    /** Returns the words of a key. */
    int words() {
        return words;
    }

    /** Returns whether the first words decide, if they differ. */
    boolean isByWords() {
        return texts.isEmpty();
    }

    @Override
    public int compare(long left, long right) {
        return texts.isEmpty() ? RowOrder.words(left, right, words) : byField(left, right);
    }

    private int byField(long left, long right) {
        long[] one = key(left);
        long[] other = key(right);
        int at = 0;
        for (KeyField text : texts) {
            int order = bits(one, other, at, text.at());
            order = order == 0 ? text(text, one, other) : order;
            if (order != 0) {
                return order;
            }
            at = text.at() + text.bits();
        }
        return bits(one, other, at, words * Long.SIZE);
    }

    private long[] key(long address) {
        long[] key = new long[words];
        for (int w = 0; w < words; w++) {
            key[w] = Memory.getLong(address + (long) w * Long.BYTES);
        }
        return key;
    }

    private static int text(KeyField field, long[] one, long[] other) {
        long a = KeyField.get(one, field.at(), field.bits());
        long b = KeyField.get(other, field.at(), field.bits());
        return a == b || field.isNull(one) ? 0 : Symbols.text(a).compareTo(Symbols.text(b));
    }

    private static int bits(long[] one, long[] other, int from, int to) {
        for (int at = from; at < to; at += Long.SIZE) {
            int count = Math.min(Long.SIZE, to - at);
            int order =
                    Long.compareUnsigned(
                            KeyField.get(one, at, count), KeyField.get(other, at, count));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
