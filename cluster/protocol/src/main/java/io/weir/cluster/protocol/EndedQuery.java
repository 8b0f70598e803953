package io.weir.cluster.protocol;

import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.Receivers;
import java.util.ArrayList;
import java.util.List;

/**
 * A query that the engine has ended, or has never had. Its activations elsewhere and its windows
 * lack this process. The results' thread.
 */
final class EndedQuery {
    private final CompiledQuery code;
    private final Window emission;
    private final List<UnsentWindows> awake = new ArrayList<>();

    /** The begin of the latest activation that was known here. It is reported again. */
    private long latestNs;

    /** Takes windows, and activations that have no more of them. */
    interface Out {
        void lost(PartialExporter.Departing from, long startNs, long endNs, long packets);

        void ended(PartialExporter.Departing from);
    }

    /**
     * @param latestNs begin of the latest activation that has ended before; MIN_VALUE for none
     */
    EndedQuery(CompiledQuery code, Window emission, long latestNs) {
        this.code = code;
        this.emission = emission;
        this.latestNs = latestNs;
    }

    /**
     * Makes the activation of a query without WHEN. It lasts from its beginning, which it never
     * had.
     */
    static PartialExporter.Departing always(CompiledQuery code, long passedNs) {
        return departing(code, Long.MIN_VALUE, Long.MAX_VALUE, passedNs);
    }

    private static PartialExporter.Departing departing(
            CompiledQuery code, long fromNs, long untilNs, long activeFromNs) {
        return new PartialExporter.Departing(code, fromNs, untilNs, activeFromNs, Receivers.ALL);
    }

    void add(UnsentWindows windows) {
        awake.add(windows);
        latestNs = Math.max(latestNs, windows.from().fromNs());
    }

    /**
     * Notes that it is awake elsewhere from {@code fromNs}, until {@code untilNs} as far as is
     * known now.
     *
     * @param passedNs windows that end by then have passed here
     * @param ran packets that have run
     */
    void woken(long fromNs, long untilNs, long passedNs, long ran) {
        for (UnsentWindows known : awake) {
            if (known.from().fromNs() == fromNs) {
                known.until(untilNs);
            }
        }
        if (fromNs > latestNs) {
            latestNs = fromNs;
            if (untilNs > passedNs) {
                long activeFromNs = Math.max(fromNs, passedNs);
                PartialExporter.Departing from = departing(code, fromNs, untilNs, activeFromNs);
                awake.add(new UnsentWindows(from, emission, passedNs, ran));
            }
        }
    }

    /**
     * Reports the packets that windows with an end by then lack.
     *
     * @param ran as {@link UnsentWindows#passed} has it
     */
    void passed(long watermarkNs, long ran, Out out) {
        for (UnsentWindows windows : List.copyOf(awake)) {
            if (!windows.passed(watermarkNs, ran, out::lost)) {
                awake.remove(windows);
                out.ended(windows.from());
            }
        }
    }
}
