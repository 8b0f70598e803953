package io.weir.ingest.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.source.Outlet;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.graph.Symbols;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** *Flow's policy, case by case. */
class GpvCacheTest {
    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final long TIMEOUT_NS = 1_000_000_000L;

    private final NativeAllocator allocator = new NativeAllocator(1 << 24);
    private final Outlet outlet = new Outlet(allocator, 0, 64 * 1024);
    private final CacheMetrics metrics = new CacheMetrics();
    private GpvCache cache;

    private GpvCache cache(int slots, int narrow, int wideBuffers, int wide, String layout) {
        CacheConfig config = new CacheConfig(slots, narrow, wideBuffers, wide, TIMEOUT_NS, layout);
        PartitionedWriter out = new PartitionedWriter(List.of(outlet.writer));
        out.source(0, Symbols.id("node"));
        cache = new GpvCache(allocator, config, out, metrics);
        return cache;
    }

    @AfterEach
    void free() {
        if (cache != null) {
            cache.close();
            cache.close();
        }
        assertEquals(0, allocator.usedBytes(MemoryTag.CACHE));
        outlet.close();
        allocator.close();
    }

    private static PacketHeaders packet(int flow, int bytes) {
        PacketHeaders p = new PacketHeaders();
        p.family = 4;
        p.etype = 0x0800;
        p.srcLow = flow;
        p.proto = 17;
        p.bytes = bytes;
        return p;
    }

    private void add(PacketHeaders p, long atNs) {
        cache.advance(START_NS + atNs);
        cache.add(p, START_NS + atNs, 0, cache.slot(p));
    }

    private void addMany(int flow, int packets) {
        for (int i = 0; i < packets; i++) {
            add(packet(flow, 100), i);
        }
    }

    @Test
    void aNarrowBufferThatFillsAsksForAWideOneAndKeepsIt() {
        cache(1, 2, 1, 3, "full");
        addMany(1, 10);
        assertEquals(Map.of("wide_full", 2L), metrics.gpvsByCause());
        assertEquals(10, metrics.packets());
        addMany(2, 1);
        assertEquals(Map.of("wide_full", 2L), metrics.gpvsByCause(), "nothing was left to evict");
        addMany(2, 10);
        assertEquals(Map.of("wide_full", 4L), metrics.gpvsByCause());
        assertEquals(20, metrics.packets(), "one is still here");
    }

    @Test
    void aFlowThatWasRefusedAWideBufferDoesNotAskAgainUntilItIsEvicted() {
        cache(1024, 2, 1, 3, "full");
        addMany(1, 2);
        addMany(2, 6);
        assertEquals(1, metrics.wideRefusals());
        assertEquals(Map.of("narrow_full", 3L), metrics.gpvsByCause());
        add(packet(3, 100), 2 * TIMEOUT_NS);
        assertEquals(1, metrics.gpvs(Eviction.TIMEOUT));
        for (int i = 0; i < 5; i++) {
            add(packet(2, 100), 2 * TIMEOUT_NS + i);
        }
        assertEquals(1, metrics.gpvs(Eviction.WIDE_FULL), "the time-out gave the buffer back");
    }

    @Test
    void anotherFlowEvictsWhatIsInItsSlot() {
        cache(1, 4, 0, 1, "full");
        addMany(1, 3);
        addMany(2, 1);
        assertEquals(Map.of("collision", 1L), metrics.gpvsByCause());
        PacketHeaders tagged = packet(2, 100);
        tagged.vlanId = 5;
        add(tagged, 10);
        tagged.dstMac = 7;
        add(tagged, 20);
        assertEquals(3, metrics.gpvs(Eviction.COLLISION), "VLAN and MAC are of the flow");
        cache.flush();
        assertEquals(4.0 / 6, metrics.evictionRatio());
    }

    /** One 5-tuple over two VLANs, as a mirror port shows it: order is that of arrival. */
    @Test
    void packetsOfOneFiveTupleLeaveInOrder() {
        cache(1024, 4, 0, 1, "full");
        for (int i = 0; i < 40; i++) {
            PacketHeaders p = packet(1, 100 + i);
            p.vlanId = i * 7 / 3 % 2 + 5;
            p.dstMac = i / 9;
            add(p, i);
            addMany(2 + i, 1);
        }
        cache.flush();
        outlet.writer.end();
        outlet.read();
        List<String> flow =
                outlet.rows.stream().filter(r -> r.contains("src_addr=0.0.0.1 ")).toList();
        assertEquals(40, flow.size());
        for (int i = 0; i < 40; i++) {
            assertTrue(flow.get(i).contains(" bytes=" + (100 + i) + " "), flow.get(i));
        }
    }

    @Test
    void layoutsWithoutLinkColumnsGroupByTheFiveTuple() {
        cache(1, 4, 0, 1, "flow32");
        addMany(1, 1);
        PacketHeaders tagged = packet(1, 100);
        tagged.vlanId = 5;
        tagged.srcMac = 7;
        add(tagged, 10_000);
        cache.flush();
        assertEquals(Map.of("end", 1L), metrics.gpvsByCause());
    }

    @Test
    void whatALayoutCannotTellGoesOutInFullBehindWhatWasBefore() {
        cache(1, 4, 0, 1, "flow64");
        addMany(1, 2);
        add(packet(1, 2048), 100);
        assertEquals(Map.of("unfit", 2L), metrics.gpvsByCause());
        cache.flush();
        outlet.writer.end();
        outlet.read();
        assertEquals(3, outlet.rows.size());
        assertTrue(outlet.rows.get(2).contains("bytes=2048 frame_bytes="), outlet.rows.get(2));
    }

    @Test
    void timeAndDeltasStayWithinAGpv() {
        cache(1, 64, 0, 1, "flow32");
        addMany(1, 2);
        add(packet(1, 100), 0);
        assertEquals(Map.of("time_back", 1L), metrics.gpvsByCause());
        assertEquals(START_NS, cache.oldestNs());
        PacketHeaders late = packet(1, 100);
        cache.addLate(late, START_NS, 0, BlockLayout.SEGMENT_FLAG_LATE, START_NS, cache.slot(late));
        assertEquals(2, metrics.gpvs(Eviction.LATE));
        assertEquals(1, metrics.latePackets());
        assertEquals(Long.MAX_VALUE, cache.oldestNs());
        add(packet(1, 100), TIMEOUT_NS);
        add(packet(1, 100), 0);
        assertEquals(2, metrics.gpvs(Eviction.TIMEOUT), "older than the time-out on arrival");
    }

    @Test
    void blocksThatAreTooSmallAreRefused() {
        PartitionedWriter out = new PartitionedWriter(List.of(outlet.writer));
        CacheConfig config = new CacheConfig(1, 64, 1, 1024, TIMEOUT_NS, "full");
        try (Outlet small = new Outlet(allocator, 0, 8192)) {
            PartitionedWriter tight = new PartitionedWriter(List.of(outlet.writer, small.writer));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new GpvCache(allocator, config, tight, metrics));
        }
        new GpvCache(allocator, config, out, metrics).close();
    }

    @Test
    void configurationsAreCheckedAndShared() {
        assertThrows(IllegalArgumentException.class, () -> new CacheConfig(3, 1, 1, 1, 1, "full"));
        assertThrows(
                IllegalArgumentException.class, () -> new CacheConfig(4, 1, 1, 1, 1, "flow16"));
        CacheConfig third = CacheConfig.DEFAULT.sharedBy(3);
        assertEquals(4096, third.slots());
        assertEquals(1024, third.wideBuffers());
        assertEquals(28, CacheConfig.DEFAULT.maxCount());
    }
}
