package io.weir.ingest.source;

import io.weir.operators.account.Counter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Counts frames by type: the first {@value #MOST} types separately, all further ones together. One
 * thread adds, without allocation; any reads.
 */
final class TypeCounts {
    private static final int MOST = 64;

    /** The number of types named in {@link #text}. */
    private static final int NAMED = 5;

    private final int[] types = new int[MOST];
    private final Counter[] counts = new Counter[MOST];
    private final Counter further = new Counter();

    /** The number of {@link #types} so far: pairs with the reads of {@link #text}. */
    private final Counter size = new Counter();

    TypeCounts() {
        for (int i = 0; i < MOST; i++) {
            counts[i] = new Counter();
        }
    }

    void add(int type) {
        int known = (int) size.value();
        int i = 0;
        while (i < known && types[i] != type) {
            i++;
        }
        if (i == MOST) {
            further.add(1);
            return;
        }
        types[i] = type;
        counts[i].add(1);
        size.add(i == known ? 1 : 0);
    }

    boolean isEmpty() {
        return size.value() == 0;
    }

    private record Count(int type, long frames) {}

    /** Returns the most frequent types, with their counts, for a sentence. */
    String text(IntFunction<String> name) {
        List<Count> all = new ArrayList<>();
        long rest = further.value();
        for (int i = 0; i < size.value(); i++) {
            all.add(new Count(types[i], counts[i].value()));
        }
        all.sort(Comparator.comparingLong(Count::frames).reversed().thenComparing(Count::type));
        for (Count count : all.subList(Math.min(NAMED, all.size()), all.size())) {
            rest += count.frames();
        }
        String text =
                all.stream()
                        .limit(NAMED)
                        .map(count -> count.frames() + " " + name.apply(count.type()))
                        .collect(Collectors.joining(", "));
        return rest > 0 ? text + ", " + rest + " of other types" : text;
    }
}
