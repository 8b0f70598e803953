package io.weir.ingest.source;

import io.weir.ingest.decode.Exclusion;
import io.weir.ingest.decode.Foreign;
import io.weir.ingest.decode.HeaderGap;
import io.weir.ingest.decode.LinkTypes;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.account.Counter;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes sentences about an input's packets: those left out or read in part, and the remedy. The
 * reader's thread adds, without allocation; any thread reads the text.
 */
final class InputNotes {
    /** The reason for loss of packets that the input reports as lost. */
    static final String DROPPED = "dropped_at_capture";

    private static final String LARGER_SNAP_LENGTH =
            "; capture with a larger snap length (tcpdump -s 0)";

    final TypeCounts linkTypes = new TypeCounts();
    final TypeCounts notIp = new TypeCounts();
    final TypeCounts exclusions = new TypeCounts();
    final Counter dropped = new Counter();
    final Counter ringFull = new Counter();
    private final Counter[] gaps = counters(HeaderGap.count());
    private final Counter withoutPorts = new Counter();
    private final Counter withoutFlags = new Counter();
    private final Counter[] lengths = counters(PacketHeaders.JUMBO_OPTION + 1);

    private static Counter[] counters(int count) {
        Counter[] counters = new Counter[count];
        for (int i = 0; i < count; i++) {
            counters[i] = new Counter();
        }
        return counters;
    }

    /** Adds a packet that has a gap, or whose length is not from its header. */
    void add(PacketHeaders headers) {
        gaps[headers.gap].add(1);
        lengths[headers.lengthFrom].add(1);
        if (headers.gap == HeaderGap.TRANSPORT_CUT.code()) {
            withoutPorts.add(headers.lacksPorts() ? 1 : 0);
            withoutFlags.add(headers.lacksTcpFlags() ? 1 : 0);
        }
    }

    List<String> text() {
        List<String> notes = new ArrayList<>();
        if (dropped.value() > 0) {
            notes.add(
                    dropped.value()
                            + " packets were dropped where the packets were captured, as the input"
                            + " says ("
                            + DROPPED
                            + "); capture with a larger buffer (tcpdump -B)");
        }
        if (ringFull.value() > 0) {
            notes.add(
                    ringFull.value()
                            + " packets came faster than queries took them, and are lost ("
                            + CaptureStage.RING_FULL
                            + "); more --pipelines, or fewer queries, take more");
        }
        if (!notIp.isEmpty()) {
            notes.add("frames that are not IP (not_ip): " + notIp.text(Foreign::text));
        }
        if (!linkTypes.isEmpty()) {
            notes.add(
                    "frames of link types that are not read (unknown_link_type): "
                            + linkTypes.text(LinkTypes::text));
        }
        if (!exclusions.isEmpty()) {
            String frames = exclusions.text(code -> Exclusion.of(code).label());
            notes.add(
                    "frames without a readable IP header: "
                            + frames
                            + (frames.contains("_cut") ? LARGER_SNAP_LENGTH : ""));
        }
        gaps(notes);
        lengths(notes);
        return notes;
    }

    private void gaps(List<String> notes) {
        long cut = of(HeaderGap.TRANSPORT_CUT);
        if (cut > 0) {
            notes.add(
                    cut
                            + " packets are cut in the transport header (transport_cut): "
                            + withoutPorts.value()
                            + " lack ports, "
                            + withoutFlags.value()
                            + " lack TCP flags"
                            + LARGER_SNAP_LENGTH);
        }
        gap(
                notes,
                HeaderGap.EXTENSIONS_CUT,
                "are cut in an extension header of IPv6, and lack ports" + LARGER_SNAP_LENGTH);
        gap(
                notes,
                HeaderGap.LATER_FRAGMENT,
                "are later fragments, and have no ports: their first fragments have");
        gap(
                notes,
                HeaderGap.TINY_FIRST_FRAGMENT,
                "are first fragments that end inside the transport header: the rest of it is in a"
                        + " later fragment, as some attacks do");
        gap(
                notes,
                HeaderGap.TRANSPORT_SHORT,
                "have an IP length that ends inside the transport header: they were sent so");
    }

    private void gap(List<String> notes, HeaderGap gap, String what) {
        if (of(gap) > 0) {
            notes.add(of(gap) + " packets " + what + " (" + gap.label() + ")");
        }
    }

    private long of(HeaderGap gap) {
        return gaps[gap.code()].value();
    }

    private void lengths(List<String> notes) {
        long wire = lengths[PacketHeaders.WIRE].value();
        if (wire > 0) {
            notes.add(wire + " packets with IP length 0 count their length on the wire");
        }
        long jumbo = lengths[PacketHeaders.JUMBO_OPTION].value();
        if (jumbo > 0) {
            notes.add(jumbo + " packets with IPv6 length 0 count that of their jumbo option");
        }
    }
}
