package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import java.util.function.LongConsumer;

/**
 * One round of several over the same files.
 *
 * @param stage of all rounds
 * @param metrics of all rounds
 * @param shiftNs is added to the packets' times
 * @param onFirst gets the time of the first packet, if there is one, before it goes on
 */
record CaptureRound(CaptureStage stage, CacheMetrics metrics, long shiftNs, LongConsumer onFirst) {
    /** Makes the round of a source that is read once. */
    static CaptureRound only(SourceContext context) {
        CaptureStage stage = new CaptureStage(context.account(), context.config().latenessNs());
        return new CaptureRound(stage, new CacheMetrics(), 0, ns -> {});
    }
}
