package io.weir.ingest.wire;

import io.weir.ingest.source.LiveSources;
import io.weir.ingest.source.PacketGate;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceState;
import io.weir.ingest.source.SourceStatus;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.ring.Unheld;
import io.weir.operators.time.Clock;
import io.weir.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A live source with a ring for each queue, and the other ends of the rings. The queues' threads
 * write, the test's thread reads.
 */
public final class Drain implements AutoCloseable {
    private static final Duration MOST = Duration.ofSeconds(30);
    private static final int RING_BYTES = 1 << 20;
    private static final int BLOCK_BYTES = 1 << 16;

    /** A throttle of live packets: they never wait, and the clock moves the time on. */
    private static final SourceThrottle LIVE = new Unheld(true);

    public final Account account = new Account();

    /** Packets by destination port and VLAN. */
    public final Map<String, Long> packets = new TreeMap<>();

    /** Set to count packets by destination port and interface, too. It takes its time. */
    public boolean byInterface;

    public long lost;
    public final long[] packetsOf;
    public final long[] watermarksNs;
    public volatile RuntimeException failure;

    /** The source's latest change. */
    public volatile SourceStatus status;

    private final NativeAllocator allocator = new NativeAllocator(1 << 28);
    private final List<BlockRing> rings = new ArrayList<>();
    private final List<BlockCursor> cursors = new ArrayList<>();
    private final List<GpvCursor> gpvs = GpvLayout.all().stream().map(GpvCursor::new).toList();
    private final Source source;
    private final Thread thread;

    public Drain(String uri) {
        List<SourceSpec> specs = Sources.parse(uri, "node");
        Sources.checkAll(specs);
        List<SourceContext> contexts = new ArrayList<>();
        int queues = Sources.queues(specs);
        for (int i = 0; i < queues; i++) {
            BlockRing ring = new BlockRing(allocator, RING_BYTES);
            rings.add(ring);
            cursors.add(new BlockCursor(false));
            BlockWriter writer = new BlockWriter(ring, 0, BLOCK_BYTES, () -> {});
            contexts.add(
                    new SourceContext(
                            SourceConfig.DEFAULT,
                            List.of(writer),
                            allocator,
                            account,
                            LIVE,
                            PacketGate.ALL,
                            () -> Clock.SYSTEM.millis() * 1_000_000));
        }
        packetsOf = new long[queues];
        watermarksNs = new long[queues];
        source =
                LiveSources.of(
                        Sources.named(specs),
                        contexts,
                        () -> {
                            throw new AssertionError("there are rings for all queues");
                        },
                        now -> status = now);
        thread = new Thread(this::run, "drain");
        thread.start();
    }

    private void run() {
        try (source) {
            source.run();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** Reads what is in the rings. */
    public void read() {
        for (int i = 0; i < rings.size(); i++) {
            int queue = i;
            rings.get(i).read((address, length) -> block(queue, address, length), 16);
        }
    }

    /** Reads until something is so. */
    public void readUntil(BooleanSupplier done) {
        Await.until(
                MOST,
                () -> {
                    read();
                    return done.getAsBoolean();
                },
                () -> packets + ", lost " + lost + ", " + account.snapshot());
    }

    private void block(int queue, long address, int length) {
        BlockCursor block = cursors.get(queue);
        block.wrap(address, length);
        lost += block.lost();
        watermarksNs[queue] = Math.max(watermarksNs[queue], block.watermarkNs());
        while (block.nextSegment()) {
            GpvCursor gpv = gpvs.get(block.layoutId());
            long at = block.gpvsAddress();
            for (int i = 0; i < block.gpvs(); i++) {
                gpv.wrap(at);
                String key = gpv.value("dst_port", 0, 0) + " vlan " + gpv.value("vlan_id", 0, 0);
                packets.merge(key, (long) gpv.count(), Long::sum);
                packetsOf[queue] += gpv.count();
                for (int packet = 0; byInterface && packet < gpv.count(); packet++) {
                    String on =
                            gpv.value("dst_port", 0, 0) + " in " + gpv.value("in_if", packet, 0);
                    packets.merge(on, 1L, Long::sum);
                }
                at += gpv.gpvBytes();
            }
        }
    }

    /** Returns the source's state as of its latest change. */
    public SourceState state() {
        SourceStatus now = status;
        return now == null ? SourceState.WAITING : now.state();
    }

    /** Returns the packets to a port without a tag. */
    public long to(int port) {
        return packets.getOrDefault(port + " vlan 0", 0L);
    }

    /** Ends the source and reads the rest. */
    public void stop() {
        source.stop();
        readUntil(() -> !thread.isAlive());
        for (int i = 0; i < RING_BYTES / BlockLayout.HEADER_BYTES; i++) {
            read();
        }
    }

    @Override
    public void close() {
        stop();
        rings.forEach(BlockRing::close);
        allocator.close();
    }
}
