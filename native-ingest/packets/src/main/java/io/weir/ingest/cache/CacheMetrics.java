package io.weir.ingest.cache;

import io.weir.operators.account.Counter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the work of caches: packets in, GPVs out, and the causes. The caches' thread counts, any
 * reads.
 */
public final class CacheMetrics {
    private final Counter packets = new Counter();
    private final Counter latePackets = new Counter();
    private final Counter wideRefused = new Counter();
    private final Counter[] gpvs = new Counter[Eviction.count()];

    public CacheMetrics() {
        for (int i = 0; i < gpvs.length; i++) {
            gpvs[i] = new Counter();
        }
    }

    /** Returns the sum of several caches' counts, until now. */
    public static CacheMetrics sum(List<CacheMetrics> caches) {
        CacheMetrics sum = new CacheMetrics();
        for (CacheMetrics cache : caches) {
            sum.packets.add(cache.packets());
            sum.latePackets.add(cache.latePackets());
            sum.wideRefused.add(cache.wideRefusals());
            for (int i = 0; i < sum.gpvs.length; i++) {
                sum.gpvs[i].add(cache.gpvs[i].value());
            }
        }
        return sum;
    }

    void packets(long n) {
        packets.add(n);
    }

    void latePacket() {
        latePackets.add(1);
    }

    void wideRefused() {
        wideRefused.add(1);
    }

    void gpv(Eviction cause) {
        gpvs[cause.code()].add(1);
    }

    /** Adds what C has counted since the last call. */
    void add(CacheMemory memory) {
        for (int cause = 0; cause < gpvs.length; cause++) {
            long count = memory.take(CacheMemory.GPVS + cause * Long.BYTES);
            if (count > 0) {
                gpvs[cause].add(count);
            }
        }
        packets.add(memory.take(CacheMemory.PACKETS));
        wideRefused.add(memory.take(CacheMemory.WIDE_REFUSED));
    }

    /** Returns the packets written in GPVs. */
    public long packets() {
        return packets.value();
    }

    /** Returns the packets written as late ones. */
    public long latePackets() {
        return latePackets.value();
    }

    /** Returns the flows that requested a wide buffer and found none. */
    public long wideRefusals() {
        return wideRefused.value();
    }

    /** Returns the GPVs written. */
    public long gpvs() {
        long sum = 0;
        for (Counter count : gpvs) {
            sum += count.value();
        }
        return sum;
    }

    public long gpvs(Eviction cause) {
        return gpvs[cause.code()].value();
    }

    /**
     * Returns GPVs for each packet: the paper's eviction ratio. It is 0 before the first packet.
     */
    public double evictionRatio() {
        return packets() == 0 ? 0 : (double) gpvs() / packets();
    }

    /** Returns GPVs by cause, without causes that did not occur. */
    public Map<String, Long> gpvsByCause() {
        Map<String, Long> byCause = new TreeMap<>();
        for (Eviction cause : Eviction.values()) {
            if (gpvs(cause) > 0) {
                byCause.put(cause.label(), gpvs(cause));
            }
        }
        return byCause;
    }
}
