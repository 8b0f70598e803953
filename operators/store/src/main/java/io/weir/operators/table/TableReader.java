package io.weir.operators.table;

import io.weir.operators.map.Hash;
import io.weir.operators.memory.NativeAllocator;

/**
 * Reads a lookup table for one state of a query. Between two blocks it takes the table's new
 * content; addresses of rows are those of one content. A kernel asks by prefix, or for a key word
 * by word: {@code key(a).and(b).find()}. The thread that owns the state.
 */
public final class TableReader implements AutoCloseable {
    private final SnapshotTable table;
    private final NativeAllocator allocator;
    private final long[] key;
    private int asked;
    private long hash;
    private TableSnapshot content;
    private KeyIndex keys;
    private PrefixIndex prefixes;

    TableReader(SnapshotTable table, NativeAllocator allocator) {
        this.table = table;
        this.allocator = allocator;
        key = new long[3 * table.schema().key().size()];
        take(table.hold(allocator));
    }

    private void take(TableSnapshot now) {
        content = now;
        keys = now.keys();
        prefixes = now.prefixes();
    }

    boolean reads(long id) {
        return table.id() == id;
    }

    /** Takes the table's new content, if there is one. Addresses of rows end here. */
    void follow() {
        if (table.isOld(content)) {
            TableSnapshot old = content;
            take(table.hold(allocator));
            old.release();
        }
    }

    /** Begins a key. */
    public TableReader key(long word) {
        key[0] = word;
        asked = 1;
        hash = Hash.of(word);
        return this;
    }

    /** Adds a word to the key. */
    public TableReader and(long word) {
        key[asked++] = word;
        hash = Hash.mix(hash, word);
        return this;
    }

    /** Returns the address of the key's row; 0 if there is none. */
    public long find() {
        return keys.find(hash, key);
    }

    /** Returns the address of the row with the longest prefix of an address; 0 for none. */
    public long prefix(long family, long high, long low) {
        return prefixes.find(family, high, low);
    }

    @Override
    public void close() {
        content.release();
    }
}
