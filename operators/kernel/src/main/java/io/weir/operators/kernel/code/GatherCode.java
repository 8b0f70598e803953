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
 * Describes what a kernel reads from GPVs as data for {@link Gather}. It learns what each local of
 * the Java code is: a header field, a word made of these, or a sum of tuples' fields. If it knows
 * all words of an entry and all filters, C reads the GPVs, and the Java code is left out.
 */
final class GatherCode {
    /**
     * Bits of a word: a field of the header or of a tuple, so far above the word's low end. IPv6
     * addresses have one part for each half.
     */
    private record Part(String column, Half half, int left, boolean ofTuple) {
        Part above(int bits) {
            return new Part(column, half, left + bits, ofTuple);
        }
    }

    private enum Half {
        NONE,
        HIGH,
        LOW
    }

    private final GpvLayout layout;
    private final Map<String, List<Part>> words = new HashMap<>();
    private final Map<String, String> sums = new HashMap<>();
    private final List<Match> tests = new ArrayList<>();
    private final List<String> matched = new ArrayList<>();
    private boolean possible;

    /**
     * @param layout null if rows are read
     */
    GatherCode(GpvLayout layout) {
        this.layout = layout;
        possible = layout != null && NativeGpvs.HAVE;
    }

    /**
     * Notes that a local is a field of the header, or of a tuple. C reads a header's field as the
     * highest bits of a word.
     */
    void field(String local, Field field) {
        boolean ofTuple = field.place() == Field.Place.TUPLE;
        boolean highest = field.shift() + field.bits() == field.loadBytes() * Byte.SIZE;
        if (highest || ofTuple) {
            words.put(local, List.of(new Part(field.name(), Half.NONE, 0, ofTuple)));
        }
    }

    /** Notes that two locals are the halves of an address. */
    void address(String high, String low, String column) {
        words.put(high, List.of(new Part(column, Half.HIGH, 0, false)));
        words.put(low, List.of(new Part(column, Half.LOW, 0, false)));
    }

    /** Notes that a local is made of others. */
    void word(String local, List<Packing.Shifted> from) {
        List<Part> parts = new ArrayList<>();
        for (Packing.Shifted shifted : from) {
            List<Part> known = words.get(shifted.code());
            boolean whole = known != null && shifted.by() >= 0;
            if (!whole || shifted.by() > 0 && known.get(0).half() != Half.NONE) {
                return;
            }
            known.forEach(p -> parts.add(p.above(shifted.by())));
        }
        words.put(local, parts);
    }

    /** Notes that a local is a sum over the GPV's tuples. */
    void sum(String local, Expr.Variable column) {
        sums.put(local, column.name());
    }

    /** Notes that packets pass only if this holds. */
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

    /** Notes that packets count only if a field of theirs matches. */
    void match(String column) {
        matched.add(column);
        possible &= matched.size() == 1;
    }

    /** Returns the tested values, in the order of a call's values. */
    List<Long> values() {
        return tests.stream().map(Match::value).toList();
    }

    /**
     * Returns the expression that makes the plan for entries of these words; null if it is
     * impossible.
     *
     * @param count the local with the GPV's count
     * @param adds calls that describe what is added to tables
     */
    String ofEntries(List<String> entry, String count, boolean gated, List<String> adds) {
        List<String> calls = new ArrayList<>();
        int pieces = 0;
        int added = 0;
        for (int w = 0; w < entry.size(); w++) {
            int to = w * Long.BYTES;
            String word = entry.get(w);
            List<Part> parts = words.getOrDefault(word, List.of());
            if (!parts.isEmpty() && parts.stream().noneMatch(Part::ofTuple)) {
                calls.addAll(pieces(to, parts));
                pieces += parts.size();
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

    /** Does the same if each packet has an entry. */
    String ofPackets(List<String> entry, boolean gated, List<String> adds) {
        List<String> calls = new ArrayList<>();
        int fields = 0;
        int pieces = 0;
        for (int w = 0; w < entry.size(); w++) {
            List<Part> parts = words.getOrDefault(entry.get(w), List.of());
            if (parts.isEmpty() && !entry.get(w).isEmpty()) {
                return null;
            }
            calls.addAll(pieces(w * Long.BYTES, parts));
            int ofTuple = (int) parts.stream().filter(Part::ofTuple).count();
            fields += ofTuple;
            pieces += parts.size() - ofTuple;
        }
        calls.addAll(adds);
        int bytes = entry.size() * Long.BYTES;
        boolean fits =
                pieces <= Gather.MOST_PIECES
                        && fields <= Gather.MOST_FIELDS
                        && bytes <= Gather.MOST_PACKET_BYTES;
        return possible && fits && fields > 0 ? made(bytes, 0, gated, calls) : null;
    }

    /** Does the same for plain sums of these locals. */
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
        matched.forEach(column -> text.append("\n        .match(\"" + column + "\")"));
        return text.toString();
    }

    private static List<String> pieces(int to, List<Part> parts) {
        List<String> calls = new ArrayList<>();
        for (Part part : parts) {
            boolean first = calls.stream().allMatch(call -> call.startsWith(".field"));
            calls.add(call(to, part, first));
        }
        return calls;
    }

    private static String call(int to, Part part, boolean first) {
        String where = "(" + to + ", \"" + part.column() + "\"";
        return switch (part.half()) {
            case HIGH -> ".high" + where + ")";
            case LOW -> ".low" + where + ")";
            case NONE -> {
                String method = part.ofTuple() ? ".field" : first ? ".word" : ".and";
                yield method + where + ", " + part.left() + ")";
            }
        };
    }
}
