package io.weir.operators.kernel.code;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.kernel.Gather;
import io.weir.operators.memory.NativeGpvs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a kernel reads of GPVs, as data for {@link Gather}. It is told what locals of the Java code
 * are: header fields, words made of these, and sums of tuples' fields. Where all words of an entry
 * are known so, and all filters, C reads the GPVs, and that code is left out.
 */
final class GatherCode {
    /** Bits of a word: a field, so far above its low end; of IPv6 addresses a half each. */
    private record Part(String column, Half half, int left) {}

    private enum Half {
        NONE,
        HIGH,
        LOW
    }

    private final GpvLayout layout;
    private final Map<String, List<Part>> words = new HashMap<>();
    private final Map<String, String> sums = new HashMap<>();
    private final List<Match> tests = new ArrayList<>();
    private boolean possible;

    /**
     * @param layout null where rows are read
     */
    GatherCode(GpvLayout layout) {
        this.layout = layout;
        possible = layout != null && NativeGpvs.HAVE;
    }

    /** A local is a field of the header. */
    void header(String local, Field field) {
        if (field.shift() == 0 && field.bits() == field.loadBytes() * Byte.SIZE) {
            words.put(local, List.of(new Part(field.name(), Half.NONE, 0)));
        }
    }

    /** Two locals are the halves of an address. */
    void address(String high, String low, String column) {
        words.put(high, List.of(new Part(column, Half.HIGH, 0)));
        words.put(low, List.of(new Part(column, Half.LOW, 0)));
    }

    /** A local is made of others. */
    void word(String local, List<Packing.Shifted> from) {
        List<Part> parts = new ArrayList<>();
        for (Packing.Shifted shifted : from) {
            List<Part> known = words.get(shifted.code());
            boolean whole = known != null && shifted.by() >= 0;
            if (!whole || shifted.by() > 0 && known.get(0).half() != Half.NONE) {
                return;
            }
            known.forEach(p -> parts.add(new Part(p.column(), p.half(), p.left() + shifted.by())));
        }
        words.put(local, parts);
    }

    /** A local is a sum over the GPV's tuples. */
    void sum(String local, Expr.Variable column) {
        sums.put(local, column.name());
    }

    /** Packets pass only where this holds. */
    void filter(Expr condition) {
        Match match = Match.of(condition).orElse(null);
        Field field = match == null ? null : field(match.column().name());
        boolean tested =
                field != null
                        && field.place() == Field.Place.HEADER
                        && field.bits() <= Short.SIZE
                        && match.isWhole();
        if (!tested || tests.size() == Gather.MOST_TESTS) {
            possible = false;
        } else {
            tests.add(match);
        }
    }

    private Field field(String column) {
        return layout == null ? null : layout.field(column).orElse(null);
    }

    /** What is tested, in the order of a call's values. */
    List<Long> values() {
        return tests.stream().map(Match::value).toList();
    }

    /**
     * The expression that makes it, for entries of these words; null where it cannot be.
     *
     * @param count the local that is the GPV's count
     * @param adds calls that say what is added to tables
     */
    String ofEntries(List<String> entry, String count, boolean gated, List<String> adds) {
        List<String> calls = new ArrayList<>();
        int pieces = 0;
        int added = 0;
        for (int w = 0; w < entry.size(); w++) {
            int to = w * Long.BYTES;
            String word = entry.get(w);
            if (words.containsKey(word)) {
                calls.addAll(pieces(to, words.get(word)));
                pieces += words.get(word).size();
            } else if (sums.containsKey(word)) {
                calls.add(".sum(" + to + ", \"" + sums.get(word) + "\")");
                added++;
            } else if (!word.isEmpty() && !word.equals(count)) {
                return null;
            }
        }
        calls.addAll(adds);
        boolean fits = pieces <= Gather.MOST_PIECES && added <= Gather.MOST_SUMS;
        int countTo = entry.indexOf(count) * Long.BYTES;
        return possible && fits && countTo >= 0
                ? made(entry.size() * Long.BYTES, countTo, gated, calls)
                : null;
    }

    /** The same for nothing but sums of these locals. */
    String ofSums(List<String> locals, boolean gated) {
        if (!possible || locals.size() > Gather.MOST_SUMS || !sums.keySet().containsAll(locals)) {
            return null;
        }
        List<String> calls =
                locals.stream().map(local -> ".sum(0, \"" + sums.get(local) + "\")").toList();
        return made(0, 0, gated, calls);
    }

    private String made(int entryBytes, int countTo, boolean gated, List<String> calls) {
        StringBuilder text = new StringBuilder("new Gather(\"" + layout.name() + "\", ");
        text.append(layout.family()).append(", ").append(gated).append(", ");
        text.append(entryBytes).append(", ").append(countTo).append(")");
        calls.forEach(call -> text.append("\n        ").append(call));
        tests.forEach(t -> text.append("\n        .test(\"" + t.column().name() + "\")"));
        return text.toString();
    }

    private static List<String> pieces(int to, List<Part> parts) {
        List<String> calls = new ArrayList<>();
        for (Part part : parts) {
            String where = "(" + to + ", \"" + part.column() + "\"";
            calls.add(
                    switch (part.half()) {
                        case HIGH -> ".high" + where + ")";
                        case LOW -> ".low" + where + ")";
                        case NONE ->
                                (calls.isEmpty() ? ".word" : ".and")
                                        + where
                                        + ", "
                                        + part.left()
                                        + ")";
                    });
        }
        return calls;
    }
}
