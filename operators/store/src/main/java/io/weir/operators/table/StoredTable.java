package io.weir.operators.table;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.SymbolSet;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/**
 * A named lookup table. Its content can be replaced: each state that reads it takes the new content
 * between two blocks. Texts of old contents keep their numbers, because rows may have them. Any
 * thread.
 */
public final class StoredTable implements SnapshotTable, AutoCloseable {
    private final String name;
    private final long id = IDS.incrementAndGet();
    private final TableSchema schema;
    private final SymbolSet strings = new SymbolSet();

    /** Null while the table has no content. */
    private volatile TableSnapshot content;

    /** A table without content. It gets one by {@link #replace}. */
    public StoredTable(String name, TableSchema schema) {
        this.name = name;
        this.schema = schema;
    }

    /**
     * @param content this table's from now on
     */
    public StoredTable(String name, TableSchema schema, TableSnapshot content) {
        this(name, schema);
        replace(content);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public TableSchema schema() {
        return schema;
    }

    @Override
    public SymbolSet strings() {
        return strings;
    }

    /** Returns the content now, for what it tells of itself. */
    public TableSnapshot content() {
        return content;
    }

    /** Returns whether states can begin to read it. */
    public boolean hasContent() {
        return content != null;
    }

    /** Replaces the content; the new one is this table's from now on. */
    public final synchronized void replace(TableSnapshot other) {
        strings.keep(other.symbols());
        TableSnapshot old = content;
        content = other;
        if (old != null) {
            old.release();
        }
    }

    /** Returns whether a state of a query reads the content now. */
    public boolean isRead() {
        TableSnapshot now = content;
        return now != null && now.holders() > 1;
    }

    @Override
    public synchronized TableSnapshot hold(NativeAllocator allocator) {
        if (content == null) {
            throw new WeirException(
                    ErrorCode.UNREADABLE_INPUT, "the table " + name + " has no content here");
        }
        return content.hold();
    }

    @Override
    public boolean isOld(TableSnapshot seen) {
        TableSnapshot now = content;
        return now != null && seen != now;
    }

    /** Releases the content, and has none. States that read it still hold it. */
    @Override
    public synchronized void close() {
        if (content != null) {
            content.release();
            content = null;
        }
    }

    @Override
    public long scan(Object... key) {
        return schema.match() == TableSchema.Match.PREFIX ? longest((Inet) key[0]) : equal(key);
    }

    private long equal(Object... key) {
        for (int r = 0; r < content.rows().rows(); r++) {
            boolean same = true;
            for (int k = 0; k < key.length; k++) {
                same &= key[k].equals(value(r + 1L, schema.key().get(k)));
            }
            if (same) {
                return r + 1L;
            }
        }
        return 0;
    }

    private long longest(Inet address) {
        long best = 0;
        long most = -1;
        for (int r = 0; r < content.rows().rows(); r++) {
            Inet network = (Inet) value(r + 1L, schema.key().get(0));
            long bits = (Long) value(r + 1L, schema.key().get(1));
            if (bits > most && isIn(address, network, bits)) {
                best = r + 1L;
                most = bits;
            }
        }
        return best;
    }

    private static boolean isIn(Inet address, Inet network, long bits) {
        if (address.family() != network.family()) {
            return false;
        }
        boolean same = true;
        for (int b = 0; b < bits; b++) {
            same &= bit(address, b) == bit(network, b);
        }
        return same;
    }

    private static long bit(Inet address, int bit) {
        if (address.family() == 4) {
            return address.low() >>> 31 - bit & 1;
        }
        return bit < 64 ? address.high() >>> 63 - bit & 1 : address.low() >>> 127 - bit & 1;
    }

    @Override
    public Object value(long row, int column) {
        if (row == 0) {
            return null;
        }
        long at = content.rows().address(row - 1);
        return TableRows.isNull(at, column)
                ? null
                : boxed(at + (long) schema.word(column) * Long.BYTES, column);
    }

    private Object boxed(long at, int column) {
        long word = Memory.getLong(at);
        return switch (schema.columns().get(column).type().kind()) {
            case INET ->
                    new Inet(
                            (int) word,
                            Memory.getLong(at + Long.BYTES),
                            Memory.getLong(at + 2 * Long.BYTES));
            case VARCHAR -> Symbols.text(word);
            case DOUBLE -> Double.longBitsToDouble(word);
            case BOOLEAN -> word != 0;
            default -> word;
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
