package io.weir.ingest.wire.dpdk;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.CaptureSource;
import io.weir.ingest.source.Outlet;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.ThreadEnd;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.util.List;

/** A source over one ring, with its account, on this thread. */
final class DpdkRun implements AutoCloseable {
    final NativeAllocator allocator = new NativeAllocator(1 << 28);
    final Account account = new Account();
    final Outlet outlet = new Outlet(allocator, 0, 16 * 1024);

    /** Opens the first queue of a source. */
    Source open(String uri) {
        return open(uri, SourceConfig.DEFAULT);
    }

    Source open(String uri, SourceConfig config) {
        SourceSpec spec = Sources.parse(uri, "node").get(0);
        new DpdkFactory().check(spec);
        outlet.writer.overflow(spec.overflow());
        return new DpdkFactory().open(List.of(spec), 0, outlet.context(config, account));
    }

    /** Reads all of a finite device. Returns its packets, sorted. */
    List<String> read(String uri, SourceConfig config) {
        try (Source source = open(uri, config)) {
            outlet.read(source);
        }
        return outlet.sortedRows();
    }

    /** Reads a capture without DPDK. */
    List<String> readCapture(Path file, SourceConfig config) {
        SourceSpec spec = SourceSpec.pcap("node", file);
        try (Source source = new CaptureSource(List.of(spec), outlet.context(config, account))) {
            outlet.read(source);
        }
        return outlet.sortedRows();
    }

    /** Lets a live source fill the ring, reads on another thread, and stops it. */
    void overload(Source source, long packets) {
        Thread reader = new Thread(outlet::read);
        Thread stopper =
                new Thread(
                        () -> {
                            await(packets);
                            reader.start();
                            await(2 * packets);
                            source.stop();
                        });
        stopper.start();
        source.run();
        ThreadEnd.await(stopper);
        ThreadEnd.await(reader);
        outlet.read();
    }

    /** Takes some steps of a live source, and stops it. */
    void run(Source source, int steps) {
        for (int step = 0; step < steps; step++) {
            source.step();
            outlet.read();
        }
        source.stop();
        source.run();
        outlet.read();
    }

    private void await(long packets) {
        Await.until(
                () ->
                        !account.snapshot().isEmpty()
                                && account.snapshot().get(0).offered() >= packets);
    }

    static SourceConfig config(long latenessNs) {
        return new SourceConfig(latenessNs, CacheConfig.DEFAULT);
    }

    @Override
    public void close() {
        outlet.close();
        allocator.close();
    }
}
