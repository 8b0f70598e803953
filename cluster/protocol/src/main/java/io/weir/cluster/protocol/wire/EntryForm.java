package io.weir.cluster.protocol.wire;

import io.weir.operators.graph.Kind;
import io.weir.operators.kernel.code.KeyField;
import java.util.List;

/**
 * The entries of one table: the number of key and value words, and the words with symbols or
 * families.
 *
 * @param lead bits at the key's high end that are always 0
 * @param symbols the places of strings in the key
 * @param families the places of address families in the key
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
