package io.weir.operators.table;

import io.weir.operators.graph.Symbol;
import io.weir.operators.graph.TableSchema.Match;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The content of a lookup table at one time. It never changes. The table, and each state that reads
 * it, hold it; the last one that releases it frees its memory. Any thread.
 */
public final class TableSnapshot {
    private final TableRows rows;
    private final Optional<KeyIndex> keys;
    private final Optional<PrefixIndex> prefixes;
    private final int count;
    private final String hash;
    private final long loadedNs;
    private final List<Symbol> symbols;
    private final AtomicInteger holders = new AtomicInteger(1);

    /**
     * @param count of different rows
     * @param hash of the file that it comes from
     * @param loadedNs since the epoch
     * @param symbols the texts among its values
     */
    TableSnapshot(
            TableRows rows,
            Optional<KeyIndex> keys,
            Optional<PrefixIndex> prefixes,
            int count,
            String hash,
            long loadedNs,
            List<Symbol> symbols) {
        this.rows = rows;
        this.keys = keys;
        this.prefixes = prefixes;
        this.count = count;
        this.hash = hash;
        this.loadedNs = loadedNs;
        this.symbols = List.copyOf(symbols);
    }

    public int count() {
        return count;
    }

    public String hash() {
        return hash;
    }

    public long loadedNs() {
        return loadedNs;
    }

    /** Returns its bytes of native memory. */
    public long bytes() {
        return rows.bytes()
                + keys.map(KeyIndex::bytes).orElse(0L)
                + prefixes.map(PrefixIndex::bytes).orElse(0L);
    }

    List<Symbol> symbols() {
        return symbols;
    }

    TableRows rows() {
        return rows;
    }

    /** Returns the index by equal keys, of a table with {@link Match#EQUAL}; else null. */
    KeyIndex keys() {
        return keys.orElse(null);
    }

    /** Returns the index by prefix, of a table with {@link Match#PREFIX}; else null. */
    PrefixIndex prefixes() {
        return prefixes.orElse(null);
    }

    int holders() {
        return holders.get();
    }

    /** Returns this for one more holder, who releases it. */
    public TableSnapshot hold() {
        holders.incrementAndGet();
        return this;
    }

    /** Frees its memory if nobody else holds it. */
    public void release() {
        if (holders.decrementAndGet() == 0) {
            keys.ifPresent(KeyIndex::close);
            prefixes.ifPresent(PrefixIndex::close);
            rows.close();
        }
    }
}
