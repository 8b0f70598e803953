package io.weir.ingest.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every real capture, read and decoded, against answers that another parser gave. */
class TraceAnswersTest {
    private static final Pattern CAPTURE = Pattern.compile("\"capture\":\"([^\"]+)\"");

    /** The parser of the answers does not read Cisco HDLC; tshark does. */
    private static final String CISCO_HDLC = "labelled/ndpi/nDPI__BGP_Cisco_hdlc_slarp.pcap";

    private static Traces traces;
    private static final Map<String, CaptureTables> ours = new TreeMap<>();
    private static final Map<String, String> summaries = new TreeMap<>();

    @BeforeAll
    static void readAll() {
        traces = Traces.orSkip();
        for (String summary : traces.summaries()) {
            Matcher capture = CAPTURE.matcher(summary);
            if (capture.find()) {
                String name = capture.group(1);
                summaries.put(name, summary);
                ours.put(name, CaptureTables.of(traces.path(name)));
            }
        }
    }

    private static Map<String, CaptureTables> compared() {
        Map<String, CaptureTables> compared = new TreeMap<>(ours);
        compared.remove(CISCO_HDLC);
        return compared;
    }

    @Test
    void readsCiscoHdlc() {
        assertEquals(List.of("4,6,14,913"), ours.get(CISCO_HDLC).protocols.lines());
    }

    private static void same(String csv, String columns, Function<CaptureTables, Tally> tally) {
        same(csv, columns, line -> true, tally);
    }

    @Test
    void everyCaptureWasRead() {
        assertEquals(960, ours.size());
    }

    private static void same(
            String csv,
            String columns,
            Predicate<String> asked,
            Function<CaptureTables, Tally> tally) {
        Map<String, List<String>> theirs = traces.rows(csv, Arrays.asList(columns.split(",")));
        List<String> differences = new ArrayList<>();
        compared()
                .forEach(
                        (capture, tables) -> {
                            List<String> extra = new ArrayList<>(tally.apply(tables).lines());
                            List<String> missing =
                                    new ArrayList<>(theirs.getOrDefault(capture, List.of()));
                            missing.removeIf(asked.negate());
                            for (String line : List.copyOf(extra)) {
                                if (missing.remove(line)) {
                                    extra.remove(line);
                                }
                            }
                            if (!extra.isEmpty() || !missing.isEmpty()) {
                                differences.add(capture + ": ours " + extra + " theirs " + missing);
                            }
                        });
        assertEquals("", String.join("\n", differences), differences.size() + " captures differ");
    }

    @Test
    void fiveTuples() {
        same(
                "per_5tuple.csv",
                "src,dst,proto,sport,dport,ports_known,pkts,ip_bytes,wire_bytes,first_ns,last_ns",
                tables -> tables.fiveTuples);
    }

    @Test
    void sourcesOfAllEncapsulations() {
        same("per_src_all_encaps.csv", "src,pkts,ip_bytes", tables -> tables.sources);
    }

    @Test
    void destinationsWithTheirFlags() {
        same(
                "per_dst.csv",
                "dst,pkts,ip_bytes,wire_bytes,tcp_pkts,syn_only,syn_exact,syn_ack,fin,rst,"
                        + "ack_exact,distinct_src",
                tables -> tables.destinations);
    }

    @Test
    void protocols() {
        same("by_proto.csv", "ipver,proto,pkts,ip_bytes", tables -> tables.protocols);
    }

    @Test
    void seconds() {
        same(
                "window_1s.csv",
                "window_start_s,pkts,ip_bytes,distinct_src,distinct_5tuple",
                tables -> tables.seconds);
    }

    @Test
    void icmpTypes() {
        same("icmp.csv", "ipver,type,code,pkts", tables -> tables.icmp);
    }

    @Test
    void outermostVlans() {
        Predicate<String> outermost = line -> line.startsWith("0,") && !line.startsWith("0,0,");
        same("vlan.csv", "depth,vid,pkts", outermost, tables -> tables.vlans);
    }

    @Test
    void payloadsOfTcpFlows() {
        same(
                "tcp_seq.csv",
                "src,dst,proto,sport,dport,pkts,payload_bytes,data_pkts",
                tables -> tables.tcp);
    }

    @Test
    void totals() {
        List<String> differences = new ArrayList<>();
        compared()
                .forEach(
                        (capture, tables) ->
                                tables.totals.forEach(
                                        (name, total) -> {
                                            long theirs = summary(capture, name);
                                            if (theirs != total) {
                                                differences.add(
                                                        String.join(" ", capture, name)
                                                                + ": ours "
                                                                + total
                                                                + " theirs "
                                                                + theirs);
                                            }
                                        }));
        assertEquals("", String.join("\n", differences), differences.size() + " totals differ");
    }

    /** A total of the summary; the exclusions are named otherwise there. */
    private static long summary(String capture, String name) {
        String key =
                switch (name) {
                    case "excluded_arp" -> "arp";
                    case "excluded_l2_cut" -> "l2_cut";
                    case "excluded_ip_cut" -> "ip_cut";
                    case "excluded_ip_version" -> "ip_ver";
                    case "excluded_ip_header_length" -> "ip_ihl";
                    default -> name;
                };
        if (name.equals("excluded_not_ip") || name.equals("excluded_unknown_link_type")) {
            return ours.get(capture).totals.get(name);
        }
        Matcher value = Pattern.compile("\"" + key + "\":(-?\\d+)").matcher(summaries.get(capture));
        return value.find() ? Long.parseLong(value.group(1)) : 0;
    }
}
