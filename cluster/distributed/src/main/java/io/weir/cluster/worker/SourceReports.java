package io.weir.cluster.worker;

import io.weir.cluster.kafka.catalog.NamedSource;
import io.weir.cluster.wire.SourceReport;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceState;
import io.weir.ingest.source.SourceStatus;

/** Makes the reports of a worker on its sources. Stateless. */
final class SourceReports {
    private SourceReports() {}

    static SourceReport of(SourceStatus source) {
        SourceReport.Builder report =
                of(source.name(), source.spec(), source.state().label())
                        .setSinceMs(source.sinceMs())
                        .setPackets(source.packets())
                        .setPacketsPerSecond(source.packetsPerSecond())
                        .setBytesPerSecond(source.bytesPerSecond())
                        .putAllLost(source.lost())
                        .putAllExcluded(source.excluded())
                        .setRingFill(source.ringFill())
                        .setRetries(source.retries());
        source.lagMs().ifPresent(report::setLagMs);
        source.error().ifPresent(report::setError);
        return report.build();
    }

    /** Returns the report of a source of the catalogue that this worker cannot open. */
    static SourceReport refused(NamedSource source, long sinceMs, String why) {
        return SourceReport.newBuilder()
                .setName(source.name())
                .setUri(source.uri())
                .setNode(source.node())
                .setState(SourceState.FAILED.label())
                .setSinceMs(sinceMs)
                .setPackets(0)
                .setError(why)
                .build();
    }

    static SourceReport finite(String name, SourceSpec spec) {
        return of(name, spec, "finite").build();
    }

    private static SourceReport.Builder of(String name, SourceSpec spec, String state) {
        return SourceReport.newBuilder()
                .setName(name)
                .setUri(spec.uri())
                .setNode(spec.node())
                .setState(state);
    }
}
