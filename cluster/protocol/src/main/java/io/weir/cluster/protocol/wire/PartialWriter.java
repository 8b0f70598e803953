package io.weir.cluster.protocol.wire;

import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Sharing;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.code.KeyField;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.sketch.SketchBytes;
import io.weir.operators.window.RowBuffer;
import io.weir.operators.window.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes partials as blocks of bounded size. The groups of each shard have their own blocks, groups
 * before the tuples of their sets. It can extract one query's groups from a shared state, as if the
 * query had a state of its own. Cold; one thread.
 */
public final class PartialWriter {
    /** Small enough for a record with Kafka's default bounds. */
    public static final int DEFAULT_BLOCK_BYTES = 512 << 10;

    /** Takes the blocks, in the order in which they must be read. */
    @FunctionalInterface
    public interface Sink {
        void block(int shard, byte[] bytes);
    }

    private final StateForm form;
    private final int home;
    private final int maxBytes;
    private final boolean counted;
    private final BlockBuffer[] open;
    private final int[] sourceTables;
    private final int[] sourceWords;
    private Sink sink;

    private PartialWriter(
            StateForm form,
            CompiledQuery over,
            int shards,
            int home,
            int maxBytes,
            boolean counted) {
        this.form = form;
        this.home = home;
        this.maxBytes = maxBytes;
        this.counted = counted;
        open = new BlockBuffer[shards];
        byte flags = counted ? BlockForm.FLAG_COUNTED : 0;
        Arrays.setAll(open, s -> new BlockBuffer(form.fingerprint(), flags));
        boolean groups = form.state() != null;
        sourceTables = groups ? tables(form.code(), over) : new int[0];
        sourceWords = groups ? words(form.code(), over) : new int[0];
    }

    /**
     * @param over the query's code over the groups that it shares with others, or its own code
     * @param shards the number of shards; if the groups are not spread, all go to {@code home}
     * @param maxBytes bound of a block, except one with a single entry that is larger
     */
    public static PartialWriter of(
            StateForm form, CompiledQuery over, int shards, int home, int maxBytes) {
        return new PartialWriter(form, over, shards, home, maxBytes, false);
    }

    /**
     * Does the same as {@link #of} for groups that are merged. Their sets stay here, and only the
     * counts are sent.
     */
    public static PartialWriter counted(StateForm form, int shards, int home, int maxBytes) {
        return new PartialWriter(form, form.code(), shards, home, maxBytes, true);
    }

    private static List<FoldCall> folds(CompiledQuery code) {
        return code.query().aggregate().orElseThrow().folds();
    }

    /** Maps each fold of one list to its number in the other. */
    private static int[] same(List<FoldCall> mine, List<FoldCall> theirs) {
        List<FoldCall> unnamed = theirs.stream().map(Sharing::unnamed).toList();
        return mine.stream().mapToInt(f -> unnamed.indexOf(Sharing.unnamed(f))).toArray();
    }

    private static int[] words(CompiledQuery mine, CompiledQuery over) {
        List<Integer> words = new ArrayList<>();
        List<FoldCall> theirs = folds(over);
        int[] same = same(folds(mine), theirs);
        for (int f = 0; f < same.length; f++) {
            FoldCall call = mine == over ? theirs.get(f) : theirs.get(same[f]);
            int first = over.stateLayout().firstWordOf(call);
            for (int w = 0; w < call.fold().state().size(); w++) {
                words.add(first + w);
            }
        }
        return words.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int[] tables(CompiledQuery mine, CompiledQuery over) {
        StateLayout state = mine.stateLayout();
        int[] tables = new int[state.tableCount()];
        Arrays.setAll(tables, t -> t);
        if (mine != over) {
            int[] same = same(state.distinctFolds(), over.stateLayout().distinctFolds());
            for (int t = 2; t < tables.length; t++) {
                tables[t] = 2 + 2 * same[t / 2 - 1] + (t & 1);
            }
        }
        return tables;
    }

    /** Writes the groups of one window, or its rows. The caller keeps the partials. */
    public void write(List<Partial> parts, Sink to) {
        sink = to;
        for (int table : form.tables().keySet()) {
            for (Partial part : parts) {
                if (table == BlockForm.ROWS) {
                    rows(part.tables().rows());
                } else if (table < 2 || !counted) {
                    entries(part.tables(), table);
                }
            }
        }
        for (int shard = 0; shard < open.length; shard++) {
            flush(shard);
            open[shard].shrink();
        }
        sink = null;
    }

    private void flush(int shard) {
        if (!open[shard].isEmpty()) {
            sink.block(shard, open[shard].take());
        }
    }

    /** Returns the buffer of a shard, with room. */
    private BlockBuffer buffer(int shard, int words) {
        if (open[shard].bytes() + words * Long.BYTES + BlockForm.SECTION_BYTES > maxBytes) {
            flush(shard);
        }
        return open[shard];
    }

    private void entries(Tables tables, int table) {
        FlatMap map = tables.table(sourceTables[table]);
        if (map == null) {
            return;
        }
        EntryForm entries = form.tables().get(table);
        long[] key = new long[entries.keyWords()];
        long[] group = form.newGroup(table);
        for (long entry = map.firstEntry(); entry != 0; entry = map.nextEntry(entry)) {
            for (int w = 0; w < key.length; w++) {
                key[w] = Memory.getLong(entry + (long) w * Long.BYTES);
            }
            int shard = home;
            if (form.isSharded() && open.length > 1) {
                group(table, key, group);
                shard = form.shard(table, group, open.length);
            }
            BlockBuffer block = buffer(shard, entries.words());
            block.entry(table, entries.words());
            key(block, entries, key);
            if (table < 2) {
                values(block, entry + map.keyBytes());
            }
        }
    }

    private void group(int table, long[] key, long[] group) {
        if (table < 2) {
            System.arraycopy(key, 0, group, 0, group.length);
        } else {
            form.state().groupOfTuple(table, key, group);
        }
    }

    private static void key(BlockBuffer block, EntryForm entries, long[] key) {
        for (int s = 0; s < entries.symbols().size(); s++) {
            KeyField symbol = entries.symbols().get(s);
            if (!symbol.isNull(key)) {
                block.symbol((int) KeyField.get(key, symbol.at(), symbol.bits()));
            }
        }
        for (long word : key) {
            block.word(word);
        }
    }

    private void values(BlockBuffer block, long value) {
        int sketch = 0;
        for (int w = 0; w < sourceWords.length; w++) {
            long word = Memory.getLong(value + (long) sourceWords[w] * Long.BYTES);
            boolean isSketch =
                    sketch < form.sketchWords().size() && form.sketchWords().get(sketch) == w;
            block.word(isSketch ? sketch(block, word, form.sketchKind(sketch)) : word);
            sketch += isSketch ? 1 : 0;
        }
    }

    private static long sketch(BlockBuffer block, long handle, Kind kind) {
        if (SketchBytes.isRefused(handle)) {
            return BlockForm.REFUSED_SKETCH;
        } else if (!SketchBytes.isThere(handle)) {
            return BlockForm.NO_SKETCH;
        }
        if (kind == Kind.VARCHAR) {
            SketchBytes.words(handle, word -> block.symbol((int) word));
        }
        return block.sketch(SketchBytes.of(handle));
    }

    private void rows(RowBuffer rows) {
        RowLayout layout = form.rows();
        int words = rows.strideBytes() / Long.BYTES;
        for (long r = 0; r < rows.rows(); r++) {
            long row = rows.address(r);
            BlockBuffer block = buffer(home, words);
            block.entry(BlockForm.ROWS, words);
            for (int c = 0; c < layout.columns().size(); c++) {
                long at = row + Long.BYTES;
                if (layout.kind(c) == Kind.VARCHAR && !Rows.isNull(at, c)) {
                    block.symbol((int) Memory.getLong(at + layout.offset(c)));
                }
            }
            for (int w = 0; w < words; w++) {
                block.word(Memory.getLong(row + (long) w * Long.BYTES));
            }
        }
    }
}
