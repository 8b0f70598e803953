package io.weir.operators.wire;

import io.weir.operators.graph.Kind;
import io.weir.operators.kernel.code.KeyField;
import java.util.List;

/**
 * The entries of one table: so many words of key and of value, and what in them needs care.
 *
 * @param lead bits at the key's high end that are always 0
 * @param symbols where the key has strings
 * @param families where the key has the families of addresses
 */
record EntryForm(
        int keyWords, int valueWords, int lead, List<KeyField> symbols, List<KeyField> families) {
    static EntryForm of(int keyWords, int valueWords, List<KeyField> fields) {
        return new EntryForm(
                keyWords,
                valueWords,
                fields.stream().mapToInt(KeyField::firstBit).min().orElse(Long.SIZE),
                fields.stream().filter(f -> f.kind() == Kind.VARCHAR).toList(),
                fields.stream().filter(f -> f.familyBits() > 0).toList());
    }

    int words() {
        return keyWords + valueWords;
    }
}
