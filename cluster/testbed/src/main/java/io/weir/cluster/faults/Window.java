package io.weir.cluster.faults;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Groups of one window: packets and bytes of each, as counted from packets or read from rows. */
final class Window {
    /**
     * @param rows how often it was there
     */
    record Group(long packets, long bytes, int rows) {
        @Override
        public String toString() {
            return packets + " packets, " + bytes + " bytes" + (rows == 1 ? "" : ", " + rows + "x");
        }
    }

    /** The facts in a row about its window. */
    private record Said(double completeness, long lost) {}

    private final Map<Long, Group> groups = new HashMap<>();
    private final Map<String, Integer> makers = new TreeMap<>();
    private final Set<Said> said = new HashSet<>();
    private double completeness = 1;
    private long lost;
    private long missing;

    /** Counts a packet. */
    void count(long flow, int bytes) {
        groups.merge(
                flow,
                new Group(1, bytes, 1),
                (a, b) -> new Group(a.packets() + 1, a.bytes() + b.bytes(), 1));
    }

    /** Adds another window's packets. */
    void count(Window other) {
        other.groups.forEach(
                (flow, group) ->
                        groups.merge(
                                flow,
                                group,
                                (a, b) ->
                                        new Group(
                                                a.packets() + b.packets(),
                                                a.bytes() + b.bytes(),
                                                1)));
    }

    /**
     * Takes a row.
     *
     * @param maker a node, or a shard
     */
    void row(String maker, long flow, long packets, long bytes) {
        makers.merge(maker, 1, Integer::sum);
        groups.merge(
                flow,
                new Group(packets, bytes, 1),
                (a, b) -> new Group(a.packets(), a.bytes(), a.rows() + 1));
    }

    /** Takes the facts in a row about its window. All rows of one maker have the same. */
    void about(double of, long packetsLost, long packetsMissing) {
        said.add(new Said(of, packetsLost));
        completeness = Math.min(completeness, of);
        lost = Math.max(lost, packetsLost);
        missing = Math.max(missing, packetsMissing);
    }

    /** Returns the packets that its rows report as lost. */
    long lost() {
        return lost;
    }

    /** Returns the packets of workers whose part has not come, as its rows estimate. */
    long missing() {
        return missing;
    }

    /** Returns the makers of its rows, and their numbers of rows. */
    Map<String, Integer> makers() {
        return makers;
    }

    /** Returns whether it has so many makers, and all of them report the same. */
    boolean areMakersAlike(int most) {
        return makers.size() == most && said.size() == 1;
    }

    /** Returns whether nothing is reported as missing. */
    boolean isComplete() {
        return completeness == 1;
    }

    Map<Long, Group> groups() {
        return groups;
    }

    long packets() {
        return groups.values().stream().mapToLong(Group::packets).sum();
    }

    boolean hasDuplicates() {
        return groups.values().stream().anyMatch(group -> group.rows() > 1);
    }

    /** Returns the number of groups that are not in the other. */
    long rowsNotIn(Window other) {
        return groups.keySet().stream().filter(flow -> !other.groups.containsKey(flow)).count();
    }

    /** Returns whether each group is in the other, with the same values. */
    boolean isWithin(Window other) {
        return groups.entrySet().stream()
                .allMatch(group -> group.getValue().equals(other.groups.get(group.getKey())));
    }

    /** Returns whether no group counts more than in the other. */
    boolean isAtMost(Window other) {
        return groups.entrySet().stream()
                .allMatch(
                        group -> {
                            Group there = other.groups.get(group.getKey());
                            return there != null
                                    && group.getValue().packets() <= there.packets()
                                    && group.getValue().bytes() <= there.bytes();
                        });
    }

    boolean isSame(Window other) {
        return groups.equals(other.groups);
    }

    /** Returns the first group that differs, for a message. */
    String difference(Window expected) {
        for (Map.Entry<Long, Group> group : expected.groups.entrySet()) {
            Group here = groups.get(group.getKey());
            if (!group.getValue().equals(here)) {
                return Flow.text(group.getKey()) + ": " + here + ", not " + group.getValue();
            }
        }
        for (Map.Entry<Long, Group> group : groups.entrySet()) {
            if (!expected.groups.containsKey(group.getKey())) {
                return Flow.text(group.getKey()) + ": " + group.getValue() + ", not any";
            }
        }
        return "nothing differs";
    }
}
