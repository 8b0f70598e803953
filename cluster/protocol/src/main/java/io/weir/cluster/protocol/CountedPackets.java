package io.weir.cluster.protocol;

import io.weir.cluster.protocol.OpenWindows.Part;
import io.weir.operators.result.Losses;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** Packets of a window, from all its sources. */
record CountedPackets(Losses losses, long processed) {
    static final CountedPackets NONE = new CountedPackets(Losses.NONE, 0);

    /**
     * Counts the packets of a window.
     *
     * @param others losses of sources that did not report the window
     * @param shards whether its sources are shards
     */
    static CountedPackets of(Map<Part, Contribution> window, Losses others, boolean shards) {
        Losses losses = others;
        long processed = 0;
        long offered = 0;
        for (CountedPackets own : bySource(window).values()) {
            losses = together(shards).apply(losses, own.losses());
            processed += own.processed();
            offered = Math.max(offered, own.processed() + own.losses().lacking());
        }
        if (!shards) {
            return new CountedPackets(losses, processed);
        }
        Losses within = losses.within(offered);
        return new CountedPackets(within, Math.max(0, offered - within.lacking()));
    }

    private static Map<String, CountedPackets> bySource(Map<Part, Contribution> window) {
        Map<String, CountedPackets> sources = new TreeMap<>();
        window.forEach(
                (part, contribution) -> {
                    if (contribution.window() != null) {
                        CountedPackets own =
                                new CountedPackets(contribution.losses(), contribution.processed());
                        sources.merge(part.source().worker(), own, CountedPackets::plus);
                    }
                });
        return sources;
    }

    /**
     * Returns how the lacks of several sources add up. Shards report the same packets, workers
     * their own.
     */
    static BinaryOperator<Losses> together(boolean shards) {
        return shards ? Losses::or : Losses::plus;
    }

    /** Returns the sum of both. */
    CountedPackets plus(CountedPackets other) {
        return new CountedPackets(losses.plus(other.losses), processed + other.processed);
    }
}
