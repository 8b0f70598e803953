package io.weir.cluster.placement;

import io.weir.operators.map.Hash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Distributes slices over nodes as evenly as possible, with as few moves as possible. A slice that
 * must move goes to the node that prefers it most. Each node has a constant order of preference, so
 * it gets its former slices back. Stateless.
 */
public final class SliceShares {
    private SliceShares() {}

    /**
     * A worker that wants slices.
     *
     * @param node its name, for good
     * @param owned its slices now; if two members claim one, the first in order of their ids has it
     */
    public record Member(String node, Set<Integer> owned) {
        public Member {
            owned = Set.copyOf(owned);
        }
    }

    /**
     * @param slices their number, from 0
     * @param members by id
     * @return by id, for each of them
     */
    public static Map<String, Set<Integer>> of(int slices, SortedMap<String, Member> members) {
        Map<String, Set<Integer>> shares = new TreeMap<>();
        members.keySet().forEach(id -> shares.put(id, new TreeSet<>()));
        if (members.isEmpty()) {
            return shares;
        }
        Map<String, Integer> rooms = rooms(slices, owned(slices, members));
        Set<Integer> free = new TreeSet<>();
        for (int slice = 0; slice < slices; slice++) {
            free.add(slice);
        }
        owned(slices, members)
                .forEach(
                        (id, has) -> {
                            String node = members.get(id).node();
                            has.sort(
                                    Comparator.<Integer>comparingInt(
                                                    s -> isBest(node, s, members) ? 0 : 1)
                                            .thenComparing(liking(node).reversed()));
                            for (int slice : has.subList(0, Math.min(has.size(), rooms.get(id)))) {
                                shares.get(id).add(slice);
                                free.remove(slice);
                            }
                        });
        for (int slice : free) {
            shares.keySet().stream()
                    .filter(id -> shares.get(id).size() < rooms.get(id))
                    .max(
                            Comparator.<String>comparingLong(
                                            id -> liking(members.get(id).node(), slice))
                                    .thenComparing(Comparator.naturalOrder()))
                    .ifPresent(id -> shares.get(id).add(slice));
        }
        return shares;
    }

    /** Returns the slices of each member, each slice once. */
    private static Map<String, List<Integer>> owned(int slices, SortedMap<String, Member> members) {
        Set<Integer> seen = new TreeSet<>();
        Map<String, List<Integer>> owned = new TreeMap<>();
        members.forEach(
                (id, member) -> {
                    List<Integer> has = new ArrayList<>();
                    for (int slice : new TreeSet<>(member.owned())) {
                        if (slice >= 0 && slice < slices && seen.add(slice)) {
                            has.add(slice);
                        }
                    }
                    owned.put(id, has);
                });
        return owned;
    }

    /** Returns how many slices each may have. Members with most slices now get the remainder. */
    private static Map<String, Integer> rooms(int slices, Map<String, List<Integer>> owned) {
        List<String> ids = new ArrayList<>(owned.keySet());
        ids.sort(
                Comparator.<String>comparingInt(id -> -owned.get(id).size())
                        .thenComparing(Comparator.naturalOrder()));
        Map<String, Integer> rooms = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            rooms.put(ids.get(i), slices / ids.size() + (i < slices % ids.size() ? 1 : 0));
        }
        return rooms;
    }

    private static boolean isBest(String node, int slice, SortedMap<String, Member> members) {
        return members.values().stream()
                .allMatch(member -> liking(member.node(), slice) <= liking(node, slice));
    }

    private static Comparator<Integer> liking(String node) {
        return Comparator.comparingLong(slice -> liking(node, slice));
    }

    private static long liking(String node, int slice) {
        return Hash.of((long) node.hashCode(), (long) slice);
    }
}
