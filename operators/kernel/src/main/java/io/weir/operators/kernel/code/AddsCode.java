package io.weir.operators.kernel.code;

import io.weir.operators.kernel.Gather;
import io.weir.operators.map.EntryLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes to {@link Gather} the groups' update, if it only adds words of a batch's entry to
 * counts and whole words. The update code reports each addition here.
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

    /** Reports that the same is added to a word of the group each time. */
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

    /** Reports that something else is done, or is done only sometimes. */
    void other() {
        possible = false;
    }

    /** Returns the calls that describe the additions. There are none if something else is done. */
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

    /** Returns the calls for one that is added to a word for each new key of a set. */
    List<String> toGroupsOfNew(int word) {
        boolean counts = group.valueWords() == 1 && group.startsAtZero();
        String method = group.isNarrow(word) ? "countNew" : "addNew";
        return counts ? List.of("." + method + "(" + group.offset(word) + ")") : List.of();
    }
}
