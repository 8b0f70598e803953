package io.weir.operators.kernel.code;

import io.weir.operators.kernel.Gather;
import io.weir.operators.map.EntryLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * What an update does to groups, as data for {@link Gather}, where all that it does is to add words
 * of a batch's entry to counts and whole words. It is told of each.
 */
final class AddsCode {
    private record Added(int to, boolean narrow, int from) {}

    private final BatchCode batch;
    private final EntryLayout group;
    private final List<Added> all = new ArrayList<>();
    private boolean possible = true;

    AddsCode(BatchCode batch, EntryLayout group) {
        this.batch = batch;
        this.group = group;
    }

    /** A word of the group is added to, each time. */
    void add(String more, int word) {
        boolean isOne = more.equals("1L");
        int from = isOne ? -1 : batch.offset(more);
        boolean fits = !group.isNarrow(word) || group.isCount(word);
        if ((isOne || from >= 0) && fits && all.size() < Gather.MOST_WORDS) {
            all.add(new Added(group.offset(word), group.isNarrow(word), from));
        } else {
            possible = false;
        }
    }

    /** Something else is done, or not each time. */
    void other() {
        possible = false;
    }

    /** Calls that say so; none where something else is done. */
    List<String> toGroups() {
        if (!possible || !group.startsAtZero()) {
            return List.of();
        }
        List<String> calls = new ArrayList<>(List.of(".groups()"));
        all.stream().filter(Added::narrow).forEach(a -> calls.add(call("count", a)));
        all.stream().filter(a -> !a.narrow()).forEach(a -> calls.add(call("add", a)));
        return calls;
    }

    private static String call(String method, Added added) {
        return "." + method + "(" + added.to() + ", " + added.from() + ")";
    }

    /** The same where one is added to a word, for what is new in a set. */
    List<String> toGroupsOfNew(int word) {
        boolean counts = group.valueWords() == 1 && group.startsAtZero();
        String method = group.isNarrow(word) ? "countNew" : "addNew";
        return counts ? List.of("." + method + "(" + group.offset(word) + ")") : List.of();
    }
}
