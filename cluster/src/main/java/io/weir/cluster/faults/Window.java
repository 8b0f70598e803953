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

    /** What a row says of its window. */
    private record Said(double completeness, long lost) {}

    private final Map<Long, Group> groups = new HashMap<>();
    private final Map<String, Integer> makers = new TreeMap<>();
    private final Set<Said> said = new HashSet<>();
    private double completeness = 1;
    private long lost;
    private long missing;

    /** A packet. */
    void count(long flow, int bytes) {
        groups.merge(
                flow,
                new Group(1, bytes, 1),
                (a, b) -> new Group(a.packets() + 1, a.bytes() + b.bytes(), 1));
    }

    /** Another's packets. */
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
     * A row.
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

    /** What a row says of its window: each of one maker the same. */
    void about(double of, long packetsLost, long packetsMissing) {
        said.add(new Said(of, packetsLost));
        completeness = Math.min(completeness, of);
        lost = Math.max(lost, packetsLost);
        missing = Math.max(missing, packetsMissing);
    }

    /** Packets that its rows say are lost. */
    long lost() {
        return lost;
    }

    /** Packets of workers whose part has not come, as its rows estimate. */
    long missing() {
        return missing;
    }

    /** Who has made rows of it, and how many. */
    Map<String, Integer> makers() {
        return makers;
    }

    /** Whether so many have made rows of it, and all of them say the same. */
    boolean areMakersAlike(int most) {
        return makers.size() == most && said.size() == 1;
    }

    /** Whether nothing is said to be missing. */
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

    /** How many groups of this are not in the other. */
    long rowsNotIn(Window other) {
        return groups.keySet().stream().filter(flow -> !other.groups.containsKey(flow)).count();
    }

    /** Whether each group of this is in the other, as it is there. */
    boolean isWithin(Window other) {
        return groups.entrySet().stream()
                .allMatch(group -> group.getValue().equals(other.groups.get(group.getKey())));
    }

    /** Whether no group counts more than in the other. */
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

    /** The first group that differs, for a message. */
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
