package io.weir.cluster.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SliceSharesTest {
    /** Workers come and go: each slice once, shares even, and no more moves than there must be. */
    @Test
    void sharesStayEvenAndSlicesStay() {
        long seed = Long.getLong("weir.seed", 20_261_122L);
        Random random = new Random(seed);
        for (int run = 0; run < 200; run++) {
            int slices = 1 + random.nextInt(40);
            TreeMap<String, SliceShares.Member> members = new TreeMap<>();
            for (int step = 0; step < 30; step++) {
                String id = "m" + random.nextInt(6);
                Map<String, Set<Integer>> before = new TreeMap<>();
                members.forEach((member, is) -> before.put(member, is.owned()));
                if (members.remove(id) == null) {
                    members.put(id, new SliceShares.Member("node-" + id, Set.of()));
                }
                Map<String, Set<Integer>> shares = SliceShares.of(slices, members);
                String where = "seed " + seed + " run " + run + " step " + step + ": " + shares;
                check(slices, shares, where);
                checkMoves(slices, before, shares, where);
                shares.forEach(
                        (member, share) ->
                                members.put(
                                        member, new SliceShares.Member("node-" + member, share)));
            }
        }
    }

    private static void check(int slices, Map<String, Set<Integer>> shares, String where) {
        TreeSet<Integer> all = new TreeSet<>();
        int sum = 0;
        for (Set<Integer> share : shares.values()) {
            all.addAll(share);
            sum += share.size();
            assertTrue(share.size() >= slices / shares.size(), where);
            assertTrue(share.size() <= slices / shares.size() + 1, where);
        }
        if (!shares.isEmpty()) {
            assertEquals(slices, sum, where);
            assertEquals(slices, all.size(), where);
        }
    }

    /** Of those who stay only what is too much for them goes. */
    private static void checkMoves(
            int slices,
            Map<String, Set<Integer>> before,
            Map<String, Set<Integer>> after,
            String where) {
        before.forEach(
                (member, had) -> {
                    if (after.containsKey(member)) {
                        Set<Integer> kept = new TreeSet<>(had);
                        kept.retainAll(after.get(member));
                        int least = Math.min(had.size(), slices / after.size());
                        assertTrue(kept.size() >= least, member + ": " + where);
                    }
                });
    }

    /** A node that comes back gets what it had, if nobody else has come in between. */
    @Test
    void aNodeGetsBackWhatItHad() {
        TreeMap<String, SliceShares.Member> members = new TreeMap<>();
        for (String node : Set.of("a", "b", "c")) {
            members.put(node, new SliceShares.Member(node, Set.of()));
        }
        Map<String, Set<Integer>> first = SliceShares.of(12, members);
        members.replaceAll((id, m) -> new SliceShares.Member(id, first.get(id)));
        members.remove("b");
        Map<String, Set<Integer>> without = SliceShares.of(12, members);
        members.replaceAll((id, m) -> new SliceShares.Member(id, without.get(id)));
        members.put("b", new SliceShares.Member("b", Set.of()));
        Map<String, Set<Integer>> again = SliceShares.of(12, members);
        Set<Integer> same = new TreeSet<>(first.get("b"));
        same.retainAll(again.get("b"));
        assertTrue(same.size() >= 2, first + " then " + again);
    }
}
