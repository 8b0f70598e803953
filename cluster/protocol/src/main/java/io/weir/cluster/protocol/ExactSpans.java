package io.weir.cluster.protocol;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.result.Losses;
import io.weir.operators.result.PartialExporter;
import java.util.HashMap;
import java.util.Map;

/**
 * The windows of one query with exact counts of packets, by the packets' own times, not by when
 * they ran. So the counts add up, also over processes of a source. The results' thread.
 */
final class ExactSpans {
    /** More packets than any window has: it means all. */
    static final long ALL = Long.MAX_VALUE / 2;

    private final PacketCounts counts;
    private final Window emission;
    private final boolean leavesOut;
    private final boolean late;
    private final Map<ActivationId, At> last = new HashMap<>();

    /**
     * The end of an activation's last window.
     *
     * @param told how many packets were reported up to there
     * @param earlier packets of the ledger before the first of these
     * @param owed lost packets beyond the sizes of the windows that reported them
     * @param late late packets that were reported up to there
     */
    private record At(long endNs, long told, long earlier, long owed, long late) {}

    /** A window as it is reported. */
    record Exact(PartialExporter.Span span, long before, long ledger, long earlier) {}

    /**
     * @param leavesOut whether the query's windows leave late packets out, which its totals do not
     * @param late whether packets had passed before the query was there
     */
    ExactSpans(PacketCounts counts, Window emission, boolean leavesOut, boolean late) {
        this.leavesOut = leavesOut;
        this.counts = counts;
        this.emission = emission;
        this.late = late && !counts.goesOn();
    }

    Exact of(ActivationId id, PartialExporter.Departing from, PartialExporter.Span span) {
        At known = last.get(id);
        At at = known == null ? beginning(from, span) : known;
        long all = Math.max(0, counts.before(span.endNs()) - counts.before(at.endNs()));
        if (known == null && late) {
            // The query may have had only a part of its first window.
            all = Math.min(all, span.processed() + span.losses().lost());
        }
        long others = Math.min(all, others(span.endNs()) - others(at.endNs()));
        // Packets lost since the last window may belong to the next one.
        long due = span.losses().lost() + at.owed();
        long lost = Math.min(all, due + others);
        long owed = due >= ALL ? 0 : Math.max(0, due + others - all);
        long late = leavesOut ? counts.lateBefore(span.endNs()) : 0;
        last.put(id, new At(span.endNs(), at.told() + all, at.earlier(), owed, late));
        Losses losses = Losses.of(lost).plus(Losses.late(Math.max(0, late - at.late())));
        return new Exact(
                new PartialExporter.Span(span.startNs(), span.endNs(), losses, all - lost),
                at.told(),
                counts.ledger(),
                at.earlier());
    }

    /** Returns the packets before this time that belonged to another process. */
    private long others(long timeNs) {
        return counts.before(Math.min(timeNs, counts.fromNs()));
    }

    /**
     * Returns the end of the last window that another process has sent whole, or the query's begin
     * here.
     */
    private At beginning(PartialExporter.Departing from, PartialExporter.Span first) {
        long fromNs = counts.fromNs();
        long endNs = WindowEnds.after(emission, fromNs);
        endNs = endNs == Long.MIN_VALUE ? endNs : endNs - emission.slideNs();
        if (late && first.endNs() != Long.MAX_VALUE) {
            endNs = first.endNs() - emission.sizeNs();
        }
        if (from.activeFromNs() != RowContext.ALWAYS) {
            endNs = Math.max(endNs, from.activeFromNs());
        }
        long before = counts.before(endNs);
        long lateTold = leavesOut ? counts.lateBefore(endNs) : 0;
        return counts.goesOn()
                ? new At(endNs, before, 0, 0, lateTold)
                : new At(endNs, 0, counts.earlier() + before, 0, lateTold);
    }

    void ended(ActivationId id) {
        last.remove(id);
    }
}
