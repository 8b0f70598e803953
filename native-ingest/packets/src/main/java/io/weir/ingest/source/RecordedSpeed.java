package io.weir.ingest.source;

import io.weir.ingest.cache.NativeFrames;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.util.List;

/** Opens capture files whose packets come as they were recorded, or N times as fast. */
final class RecordedSpeed {
    private RecordedSpeed() {}

    /**
     * Opens all files.
     *
     * @param speed seconds of the capture that pass in one
     * @throws WeirException as the constructor of {@link CaptureSource}
     */
    static CaptureSource open(
            List<SourceSpec> inputs, SourceContext context, double speed, Clock clock) {
        ReplayThrottle throttle = new ReplayThrottle(speed, clock);
        CaptureRound only = CaptureRound.only(context);
        CaptureRound round = new CaptureRound(only.stage(), only.metrics(), 0, throttle::begin);
        CaptureSource source =
                new CaptureSource(
                        inputs, context.with(throttle), round, true, NativeFrames.isLoaded());
        source.followOthers();
        return source;
    }
}
