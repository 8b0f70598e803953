package io.weir.cluster.worker;

import io.weir.cluster.wire.SourceReport;
import io.weir.ingest.source.SourceStatus;
import java.util.List;

/** Reads a worker's packets. Any thread. */
interface PacketReading {
    /** Returns notes on the input so far, for users. */
    List<String> notes();

    /** Returns the packets read so far. */
    long packets();

    /** Returns its sources as they are now. */
    List<SourceReport> sources();

    /** Returns its live sources as they are now, for metrics. */
    List<SourceStatus> measured();

    boolean isStopped();

    /** Ends the reading soon, as if the packets ended there. Idempotent. */
    void stop();
}
