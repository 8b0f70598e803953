package io.weir.cluster.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts how often each fault was made, and how long its parts took. One thread. */
final class Times {
    private final Map<Fault, Map<String, List<Long>>> took = new EnumMap<>(Fault.class);
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
    private final Map<Fault, Integer> skipped = new EnumMap<>(Fault.class);
    private Fault now;

    /** Sets the fault that later times belong to. */
    void begins(Fault fault) {
        now = fault;
    }

    void skipped() {
        skipped.merge(now, 1, Integer::sum);
    }

    /** Notes that it has ended, and all rows are right. */
    void ended() {
        done.merge(now, 1, Integer::sum);
    }

    /** Returns the present fault. */
    Fault now() {
        return now;
    }

    void took(String what, long ms) {
        took.computeIfAbsent(now, fault -> new LinkedHashMap<>())
                .computeIfAbsent(what, w -> new ArrayList<>())
                .add(ms);
    }

    /** Returns the number of faults that are over. */
    int faults() {
        return done.values().stream().mapToInt(Integer::intValue).sum()
                - skipped.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns a line for each fault, and one for each part that was waited for. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            int times = done.getOrDefault(fault, 0);
            int without = skipped.getOrDefault(fault, 0);
            if (times > 0 || took.containsKey(fault)) {
                String passed = without == 0 ? "" : ", SKIPPED " + without + " times";
                lines.add(fault.label() + ": " + times + " times" + passed);
                took.getOrDefault(fault, Map.of())
                        .forEach((what, ms) -> lines.add("    " + line(what, ms)));
            }
        }
        return lines;
    }

    private static String line(String what, List<Long> ms) {
        List<Long> sorted = ms.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "%s after %.1f s (median of %d), %.1f s at most",
                what,
                sorted.get(sorted.size() / 2) / 1e3,
                sorted.size(),
                sorted.get(sorted.size() - 1) / 1e3);
    }
}
