package io.weir.operators.when;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Correlation.Equation;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Symbol;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.rows.RowSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Joins the rows of several upstreams of one WHEN. Each row, with the latest row of each other
 * upstream, is one joint row. {@link WhenTester} tests it. Rows of one time are tested in the order
 * of their windows' ends, then of the upstreams in the condition, then of the rows. Nothing is
 * tested before each upstream has emitted.
 *
 * <p>An upstream has the binding's key, or no key: then its row goes with each key. The latest rows
 * of {@link #MOST_KEYS} keys are kept, or of as many as there can be bindings. Then the key whose
 * rows are the oldest is forgotten. The results' lock.
 */
final class LatestRows {
    static final int MOST_KEYS = 100_000;

    private final List<Upstream> upstreams = new ArrayList<>();
    private final RowLayout joint;
    private final NativeAllocator allocator;
    private final WhenTester test;
    private final int mostKeys;
    private final List<Row> waiting = new ArrayList<>();

    /** The latest rows of upstreams that have the key; the key with the oldest rows first. */
    private final Map<Binding, Row[]> byKey = new LinkedHashMap<>(16, 0.75f, true);

    /** The latest rows of upstreams without the key, by place. */
    private final Row[] keyless;

    /**
     * A row of one upstream.
     *
     * @param words of each column: 1 if it is NULL, then its own
     * @param texts keeps the numbers of its texts
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Row(
            Upstream of,
            Query query,
            Optional<Binding> key,
            long windowStartNs,
            long windowEndNs,
            long knownNs,
            long[] words,
            List<Symbol> texts) {
        int place() {
            return of.place;
        }
    }

    /**
     * @param codes of the upstreams, in the order of the condition
     * @param test of the joint rows
     */
    LatestRows(When when, List<CompiledQuery> codes, NativeAllocator allocator, WhenTester test) {
        this.allocator = allocator;
        this.test = test;
        joint = test.layout();
        keyless = new Row[codes.size()];
        int first = 0;
        for (int place = 0; place < codes.size(); place++) {
            List<Variable> columns = codes.get(place).rowLayout().columns();
            String name = when.upstreams().get(place);
            List<String> key =
                    when.correlation().map(used -> key(used, name, columns)).orElse(List.of());
            upstreams.add(new Upstream(place, columns, key, first));
            first += columns.size();
        }
        mostKeys = Math.max(MOST_KEYS, when.correlation().map(Correlation::most).orElse(0));
    }

    /** Returns the columns of an upstream that the equations name; none if it has no key. */
    private static List<String> key(Correlation used, String name, List<Variable> columns) {
        List<String> key = new ArrayList<>();
        for (Equation equation : used.equations()) {
            columns.stream()
                    .filter(column -> equation.has(When.qualified(name, column)))
                    .forEach(column -> key.add(column.name()));
        }
        return key;
    }

    /** Returns the readers of the upstreams' rows, in the order of the condition. */
    List<RowSink> sinks() {
        return List.copyOf(upstreams);
    }

    /**
     * Tests the rows that have come. All rows of their time must have come.
     *
     * @return whether there were any
     */
    boolean test() {
        if (waiting.isEmpty()) {
            return false;
        }
        waiting.sort(Comparator.comparingLong(Row::windowEndNs).thenComparingInt(Row::place));
        List<Row> rows = List.copyOf(waiting);
        waiting.clear();
        rows.forEach(this::take);
        return true;
    }

    private void take(Row row) {
        if (row.key().isPresent()) {
            Row[] own = byKey.computeIfAbsent(row.key().get(), key -> new Row[keyless.length]);
            own[row.place()] = row;
            forgetBeyond();
            join(own, row);
            return;
        }
        keyless[row.place()] = row;
        if (upstreams.stream().allMatch(one -> one.key.isEmpty())) {
            join(keyless, row);
        } else {
            byKey.values().forEach(own -> join(own, row));
        }
    }

    private void forgetBeyond() {
        if (byKey.size() > mostKeys) {
            Iterator<Row[]> oldest = byKey.values().iterator();
            oldest.next();
            oldest.remove();
            test.forgot();
        }
    }

    /** Tests the latest rows together, if all are there. */
    private void join(Row[] own, Row by) {
        Row[] all = new Row[keyless.length];
        for (int place = 0; place < all.length; place++) {
            all[place] = own[place] == null ? keyless[place] : own[place];
            if (all[place] == null) {
                return;
            }
        }
        try (RowBatch one =
                new RowBatch(
                        by.query(), joint, by.windowStartNs(), by.windowEndNs(), 1, allocator)) {
            for (Row part : all) {
                part.of().write(part.words(), one.address(0));
            }
            one.knownNs(by.knownNs());
            test.row(one, 0, by.key().isPresent());
        }
    }

    /** Takes the rows of one upstream. */
    private final class Upstream implements RowSink {
        private final int place;
        private final List<Variable> columns;
        private final List<String> key;
        private final int first;
        private final int size;

        /** The layout of the latest rows, and where it has the columns. */
        private RowLayout layout;

        private int[] at;
        private List<Integer> keyAt;

        /**
         * @param first the joint row's first column of it
         */
        Upstream(int place, List<Variable> columns, List<String> key, int first) {
            this.place = place;
            this.columns = columns;
            this.key = key;
            this.first = first;
            size = columns.stream().mapToInt(c -> 1 + RowLayout.words(c.type().kind())).sum();
        }

        @Override
        public void rows(RowBatch batch) {
            if (batch.windowEndNs() == Long.MAX_VALUE) {
                return; // These are the last totals: no packet can follow them.
            }
            follow(batch.layout());
            for (int row = 0; row < batch.rows(); row++) {
                Optional<Binding> its = Binding.of(batch, row, keyAt);
                if (key.isEmpty() || its.isPresent()) {
                    waiting.add(
                            new Row(
                                    this,
                                    batch.query(),
                                    key.isEmpty() ? Optional.empty() : its,
                                    batch.windowStartNs(),
                                    batch.windowEndNs(),
                                    batch.knownNs(),
                                    words(batch, row),
                                    texts(batch, row)));
                }
            }
        }

        /** A later version of the query can have its columns at other places. */
        private void follow(RowLayout rows) {
            if (layout != rows) {
                layout = rows;
                at = columns.stream().mapToInt(column -> rows.indexOf(column.name())).toArray();
                keyAt = key.stream().map(rows::indexOf).toList();
                joint.strings().keep(rows.strings());
            }
        }

        private List<Symbol> texts(RowBatch batch, int row) {
            return Arrays.stream(at)
                    .filter(column -> layout.kind(column) == Kind.VARCHAR)
                    .filter(column -> !batch.isNull(row, column))
                    .mapToObj(column -> Symbols.of(Symbols.text(batch.word(row, column))))
                    .toList();
        }

        private long[] words(RowBatch batch, int row) {
            long[] words = new long[size];
            int to = 0;
            for (int c = 0; c < at.length; c++) {
                words[to++] = batch.isNull(row, at[c]) ? 1 : 0;
                long from = batch.address(row) + layout.offset(at[c]);
                for (int w = 0; w < RowLayout.words(layout.kind(at[c])); w++) {
                    words[to++] = Memory.getLong(from + (long) w * Long.BYTES);
                }
            }
            return words;
        }

        private void write(long[] words, long row) {
            int from = 0;
            for (int c = first; c < first + columns.size(); c++) {
                long nulls = row + (c >> 6) * (long) Long.BYTES;
                Memory.putLong(nulls, Memory.getLong(nulls) | words[from++] << c);
                for (int w = 0; w < RowLayout.words(joint.kind(c)); w++) {
                    long to = row + joint.offset(c) + (long) w * Long.BYTES;
                    Memory.putLong(to, words[from++]);
                }
            }
        }
    }
}
