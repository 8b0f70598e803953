package io.weir.bench.kernel;

import io.weir.bench.kernel.Work.State;
import io.weir.bench.kernel.Work.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All works that are measured. */
public final class Works {
    private static final List<State> TOTALS = List.of(State.WARM, State.FRESH);
    private static final List<State> LARGE_TOTALS = List.of(State.WARM, State.FRESH, State.FIRST);
    private static final List<State> WINDOWS = List.of(State.FRESH);
    private static final List<String> BOTH = List.of("flow32", "full");
    private static final List<String> FLOW32 = List.of("flow32");
    private static final List<String> FULL = List.of("full");

    private static final int SOURCES = 617_000;

    private static final List<Work> ALL = all();

    private Works() {}

    public static List<Work> list() {
        return ALL;
    }

    /** Returns the works of these names, or all without one. */
    public static List<Work> named(Set<String> names) {
        for (String name : names) {
            if (ALL.stream().noneMatch(work -> work.name().equals(name))) {
                String known = String.join(", ", ALL.stream().map(Work::name).toList());
                throw new IllegalArgumentException("no work " + name + "; there are " + known);
            }
        }
        return ALL.stream().filter(w -> names.isEmpty() || names.contains(w.name())).toList();
    }

    private static List<Work> all() {
        List<Work> works = new ArrayList<>();
        // Only the header of each GPV is read; the count proves it.
        works.add(totals("passthrough", Text.library("passthrough"), BOTH));
        works.add(totals("traffic_count", Text.library("traffic_count"), BOTH));
        works.add(perSource("per_source_1k", 1_000, 1, 0, BOTH));
        works.add(perSource("per_source_100k", 100_000, 1, 0, BOTH));
        works.add(perSource("per_source_600k", SOURCES, 1, 0, BOTH));
        // So many sources need twice the packets to be seen more than once.
        works.add(perSource("per_source_5m", 5_000_000, 2, 0, FLOW32));
        works.add(perSource("per_source_ipv6", SOURCES, 1, 100, BOTH));
        works.add(windows("heavy_hitter", 2000, FLOW32));
        works.add(windows("new_tcp_connections", 1, FULL));
        works.add(windows("ssh_brute_force", 1, FLOW32));
        works.add(windows("superspreader", 2, FLOW32));
        works.add(windows("port_scan", 2, FLOW32));
        works.add(windows("ddos", 2, FLOW32));
        works.add(windows("syn_flood", 0, FULL));
        works.add(windows("slowloris", 5000, FLOW32));
        works.add(windows("heavy_hitter_packets", 5, FLOW32));
        works.add(windows("completed_flows", 1, FULL));
        works.add(windows("syn_flood_handshakes", 0, FULL));
        works.add(totalsOfFlows("tcp_non_monotonic"));
        works.add(totalsOfFlows("tcp_out_of_sequence"));
        works.add(
                totals(
                        "by_tcp_flags",
                        Text.sql(
                                "SELECT tcp_flags, COUNT(*) AS packets, SUM(bytes) AS bytes"
                                        + " FROM packets GROUP BY tcp_flags"),
                        FULL));
        works.add(
                totals(
                        "by_bytes",
                        Text.sql("SELECT bytes, COUNT(*) AS packets FROM packets GROUP BY bytes"),
                        BOTH));
        return List.copyOf(works);
    }

    private static Work perSource(
            String name, int sources, int packets, int ipv6Percent, List<String> layouts) {
        Text text = Text.library("packets_per_source");
        List<State> states = sources < SOURCES ? TOTALS : LARGE_TOTALS;
        return new Work(
                name, "per_source", text, 0, states, layouts, sources, packets, ipv6Percent);
    }

    /** There are few groups: a table that is full after the first packets has only one state. */
    private static Work totals(String name, Text text, List<String> layouts) {
        return new Work(name, name, text, 0, List.of(State.WARM), layouts, SOURCES, 1, 0);
    }

    private static Work totalsOfFlows(String name) {
        Text text = Text.library(name);
        return new Work(name, name, text, 1, LARGE_TOTALS, FULL, SOURCES, 1, 0);
    }

    private static Work windows(String name, long threshold, List<String> layouts) {
        Text text = Text.library(name);
        return new Work(name, name, text, threshold, WINDOWS, layouts, SOURCES, 1, 0);
    }
}
