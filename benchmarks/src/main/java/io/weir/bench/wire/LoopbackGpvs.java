package io.weir.bench.wire;

import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.gpv.GpvUdpFactory;
import java.io.IOException;

/** Datagrams of GPVs over the loopback to rows. Another process sends them. One thread. */
final class LoopbackGpvs implements AutoCloseable {
    private final LiveRun run;
    private final LoopbackProgram sender;

    /**
     * @param program that sends
     */
    LoopbackGpvs(String program) throws IOException {
        String uri =
                "gpv-udp:127.0.0.1:" + LoopbackProgram.PORT + "?layout=flow32&senders=4&buffer=8";
        run =
                new LiveRun(
                        "flow32",
                        context ->
                                new GpvUdpFactory().open(Sources.parse(uri, "bench"), 0, context));
        sender = LoopbackProgram.start(program, "send");
    }

    long read(long packets) {
        return run.read(packets);
    }

    /**
     * Ends the sender, and reads its last datagrams. The last one tells how many there were, so
     * each packet is in a row or lost.
     */
    void end() throws IOException {
        sender.end();
        long sent = sender.datagrams() * MemoryDatagrams.PACKETS;
        run.readUntil("gpvs", sent);
        run.end();
        var gpvs = run.stage("gpvs");
        if (gpvs.offered() != sent) {
            throw new IllegalStateException(gpvs + ", and " + sent + " packets were sent");
        }
        run.check(LoopbackProgram.totals(gpvs.processed()));
    }

    @Override
    public void close() {
        sender.close();
        run.close();
    }
}
