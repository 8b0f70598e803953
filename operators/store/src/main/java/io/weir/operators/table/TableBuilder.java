package io.weir.operators.table;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Symbol;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the content of a lookup table, row by row. One thread. Close it if no content was made. */
public final class TableBuilder implements AutoCloseable {
    private final NativeAllocator allocator;
    private final TableSchema schema;
    private final int[] words;
    private final Map<String, Symbol> symbols = new HashMap<>();
    private TableRows rows;

    /** Two rows have the same key, and differ in other columns. */
    public static final class DuplicateKey extends Exception {
        private static final long serialVersionUID = 1L;

        private final int first;
        private final int second;

        DuplicateKey(int first, int second) {
            super("rows " + first + " and " + second);
            this.first = first;
            this.second = second;
        }

        /** Returns the place of the earlier row, from 0. */
        public int first() {
            return first;
        }

        public int second() {
            return second;
        }
    }

    /**
     * @throws io.weir.operators.error.WeirException OUT_OF_NATIVE_MEMORY
     */
    public TableBuilder(NativeAllocator allocator, TableSchema schema) {
        this.allocator = allocator;
        this.schema = schema;
        words = new int[schema.columns().size()];
        for (int c = 0; c < words.length; c++) {
            words[c] = schema.word(c);
        }
        rows = new TableRows(allocator, schema);
    }

    public int rows() {
        return rows.rows();
    }

    /**
     * Adds a row.
     *
     * @param values boxed, by column; null for NULL
     * @throws io.weir.operators.error.WeirException OUT_OF_NATIVE_MEMORY, TOO_MANY_STRINGS
     */
    public void add(Object... values) {
        long row = rows.add();
        for (int c = 0; c < words.length; c++) {
            if (values[c] == null) {
                Memory.putLong(row, Memory.getLong(row) | 1L << c);
            } else {
                put(row, words[c], values[c]);
            }
        }
    }

    private void put(long row, int word, Object value) {
        if (value instanceof Inet address) {
            put(row, word, address.family());
            put(row, word + 1, address.high());
            put(row, word + 2, address.low());
        } else if (value instanceof Boolean truth) {
            put(row, word, truth ? 1 : 0);
        } else if (value instanceof Double real) {
            put(row, word, Double.doubleToLongBits(real + 0.0)); // -0.0 equals 0.0
        } else if (value instanceof String text) {
            put(row, word, symbols.computeIfAbsent(text, Symbols::of).id());
        } else {
            put(row, word, ((Long) value).longValue());
        }
    }

    private static void put(long row, int word, long value) {
        Memory.putLong(row + (long) word * Long.BYTES, value);
    }

    /**
     * Returns the content. Equal rows count once.
     *
     * @param hash of the file that the rows come from
     * @throws io.weir.operators.error.WeirException OUT_OF_NATIVE_MEMORY
     */
    public TableSnapshot build(String hash, long loadedNs) throws DuplicateKey {
        KeyIndex keys = new KeyIndex(allocator, rows, wordsOfKey());
        try {
            int different = index(keys);
            Optional<PrefixIndex> prefixes =
                    schema.match() == Match.PREFIX ? Optional.of(prefixes()) : Optional.empty();
            TableSnapshot made =
                    new TableSnapshot(
                            rows,
                            prefixes.isPresent() ? Optional.empty() : Optional.of(keys),
                            prefixes,
                            different,
                            hash,
                            loadedNs,
                            new ArrayList<>(symbols.values()));
            rows = null;
            keys = prefixes.isPresent() ? keys : null;
            return made;
        } finally {
            if (keys != null) {
                keys.close();
            }
        }
    }

    private PrefixIndex prefixes() {
        List<Integer> key = schema.key();
        return new PrefixIndex(allocator, rows, words[key.get(0)], words[key.get(1)]);
    }

    /** Returns the number of different rows. */
    private int index(KeyIndex keys) throws DuplicateKey {
        int different = 0;
        for (int r = 0; r < rows.rows(); r++) {
            int same = keys.put(r);
            if (same >= 0 && !isEqual(same, r)) {
                throw new DuplicateKey(same, r);
            }
            different += same < 0 ? 1 : 0;
        }
        return different;
    }

    private boolean isEqual(int row, int other) {
        boolean equal = true;
        for (int w = 0; w < schema.words(); w++) {
            long at = (long) w * Long.BYTES;
            equal &=
                    Memory.getLong(rows.address(row) + at)
                            == Memory.getLong(rows.address(other) + at);
        }
        return equal;
    }

    /** Returns the places of the key's words in a row. */
    private int[] wordsOfKey() {
        List<Integer> places = new ArrayList<>();
        for (int column : schema.key()) {
            places.add(words[column]);
            if (schema.columns().get(column).type().kind() == Kind.INET) {
                places.add(words[column] + 1);
                places.add(words[column] + 2);
            }
        }
        return places.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
            rows = null;
        }
    }
}
