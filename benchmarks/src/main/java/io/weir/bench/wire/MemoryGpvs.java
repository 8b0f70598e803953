package io.weir.bench.wire;

import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;

/** Datagrams of GPVs from memory to rows. One thread. */
final class MemoryGpvs implements AutoCloseable {
    private MemoryDatagrams source;
    private final LiveRun run;

    MemoryGpvs() {
        SourceSpec spec = Sources.parse("gpv-udp:127.0.0.1:23600?layout=flow32", "bench").get(0);
        run =
                new LiveRun(
                        "flow32",
                        context -> {
                            source = new MemoryDatagrams(context, spec);
                            return source;
                        });
    }

    long read(long packets) {
        return run.read(packets);
    }

    /** Ends the source, and checks rows and account. */
    void end() {
        run.end();
        long packets = run.stage("gpvs").processed();
        if (packets != source.sent() * MemoryDatagrams.PACKETS) {
            throw new IllegalStateException(packets + " packets of " + source.sent() + " blocks");
        }
        run.check(source.totals().of(source.sent()));
    }

    @Override
    public void close() {
        run.close();
    }
}
