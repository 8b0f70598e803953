package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.SourceSpec;
import io.weir.operators.gpv.GpvLayout;
import java.util.List;
import java.util.Set;

/**
 * UDP ports at which a source of frames finds blocks, as its URI names them.
 *
 * @param first of them
 * @param count one for each pipeline instance of the senders
 * @param allow the senders whose blocks are taken
 * @param senders the most that are kept apart
 */
public record GpvPorts(int first, int count, List<Network> allow, int senders) {
    public static final Set<String> OPTIONS =
            Set.of(
                    GpvUdpOptions.PORTS,
                    GpvUdpOptions.ALLOW,
                    GpvUdpOptions.SENDERS,
                    GpvUdpOptions.LAYOUT);

    /** Lateness is judged beside the time-out: packets are at most this late when they leave. */
    public static final String USUAL_LATENESS = "1s";

    private static final String USUAL_LAYOUT = "flow32";

    /**
     * Reads them.
     *
     * @param option with the first port
     * @throws io.weir.operators.error.WeirException INVALID_OPTION
     */
    public static GpvPorts of(SourceSpec spec, String option) {
        int first = GpvUdpOptions.number(spec, option, 0, 1, 0xFFFF);
        int count = GpvUdpOptions.count(spec, first);
        return new GpvPorts(
                first, count, GpvUdpOptions.allow(spec, false), GpvUdpOptions.senders(spec));
    }

    /**
     * Returns the source with a layout.
     *
     * @throws io.weir.operators.error.WeirException INVALID_OPTION
     */
    public static SourceSpec withLayout(SourceSpec named) {
        SourceSpec spec =
                named.option(SourceSpec.LAYOUT).isEmpty()
                        ? named.with(SourceSpec.LAYOUT, USUAL_LAYOUT)
                        : named;
        String layout = spec.option(SourceSpec.LAYOUT).orElseThrow();
        if (GpvLayout.of(layout, 4).isEmpty()) {
            throw GpvUdpOptions.invalid(
                    "layout=" + layout + " cannot be", "flow32, flow64 or full");
        }
        return spec;
    }
}
