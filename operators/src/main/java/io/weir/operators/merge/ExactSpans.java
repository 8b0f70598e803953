package io.weir.operators.merge;

import io.weir.operators.graph.Window;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.result.Departure;
import io.weir.operators.result.Losses;
import io.weir.operators.trigger.WindowEnds;
import java.util.HashMap;
import java.util.Map;

/**
 * The windows of one query with the numbers of packets whose times are in them, rather than of
 * those that ran while they were open: so they add up, also over lives of a source. The results'
 * thread.
 */
final class ExactSpans {
    private final PacketCounts counts;
    private final Window emission;
    private final Map<ActivationId, At> last = new HashMap<>();

    /** Where an activation's last window ended, and how many packets were told up to there. */
    private record At(long endNs, long told) {}

    /** A window as it is told. */
    record Exact(Departure.Span span, long before) {}

    ExactSpans(PacketCounts counts, Window emission) {
        this.counts = counts;
        this.emission = emission;
    }

    Exact of(ActivationId id, Departure.Departing from, Departure.Span span) {
        At at = last.computeIfAbsent(id, first -> beginning(from));
        long all = Math.max(0, counts.before(span.endNs()) - counts.before(at.endNs()));
        long others = Math.min(all, others(span.endNs()) - others(at.endNs()));
        long lost = Math.min(all, span.losses().lost() + others);
        last.put(id, new At(span.endNs(), at.told() + all));
        return new Exact(
                new Departure.Span(span.startNs(), span.endNs(), Losses.of(lost), all - lost),
                at.told());
    }

    /** Packets before this time that were another's. */
    private long others(long timeNs) {
        return counts.before(Math.min(timeNs, counts.fromNs()));
    }

    /** The end of the last window that another has sent whole, or where the query began here. */
    private At beginning(Departure.Departing from) {
        long fromNs = counts.fromNs();
        long endNs = WindowEnds.after(emission, fromNs);
        endNs = endNs == Long.MIN_VALUE ? endNs : endNs - emission.slideNs();
        if (from.activeFromNs() != RowContext.ALWAYS) {
            endNs = Math.max(endNs, from.activeFromNs());
        }
        return new At(endNs, counts.before(endNs));
    }

    void ended(ActivationId id) {
        last.remove(id);
    }
}
