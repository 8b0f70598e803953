package io.weir.bench.engine;

import io.weir.bench.generate.GpvTrace;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.FieldAccess;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.map.Hash;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * A trace's GPVs in memory, divided as over receive queues: by the hash of the two addresses, as a
 * NIC's RSS divides packets. They have one layout, IPv4. Any thread reads.
 */
final class GpvParts implements AutoCloseable {
    static final GpvLayout LAYOUT = GpvLayout.of("flow32", 4).orElseThrow();

    private static final Field COUNT = LAYOUT.field(GpvLayout.COUNT).orElseThrow();

    private final NativeAllocator memory = new NativeAllocator(16L << 30);
    private final long[] addresses;
    private final long[] bytes;
    private final int[] gpvs;
    private final long packets;

    GpvParts(GpvTrace trace, int parts) {
        addresses = new long[parts];
        bytes = new long[parts];
        gpvs = new int[parts];
        packets = trace.packets();
        each(trace, (part, gpv, length) -> bytes[part] += length);
        for (int p = 0; p < parts; p++) {
            addresses[p] = memory.allocate(bytes[p], MemoryTag.TEST);
        }
        long[] next = addresses.clone();
        each(
                trace,
                (part, gpv, length) -> {
                    Memory.copy(gpv, next[part], length);
                    next[part] += length;
                    gpvs[part]++;
                });
    }

    private interface Visitor {
        void gpv(int part, long address, int length);
    }

    private void each(GpvTrace trace, Visitor visitor) {
        BlockCursor cursor = new BlockCursor(true);
        for (int block = 0; block < trace.blocks(); block++) {
            cursor.wrap(trace.blockAddress(block), GpvTrace.BLOCK_BYTES);
            while (cursor.nextSegment()) {
                if (cursor.layoutId() != LAYOUT.id()) {
                    throw new IllegalArgumentException("a trace of another layout");
                }
                long gpv = cursor.gpvsAddress();
                for (int g = 0; g < cursor.gpvs(); g++) {
                    int length = LAYOUT.gpvBytes(count(gpv));
                    visitor.gpv(bucket(gpv, addresses.length), gpv, length);
                    gpv += length;
                }
            }
        }
    }

    /** Returns the packets of a GPV. */
    static int count(long gpv) {
        return (int) FieldAccess.load(COUNT, LAYOUT.order(), gpv);
    }

    /** Returns the queue of a GPV, as the partitions of a source and RSS choose it. */
    static int bucket(long gpv, int buckets) {
        return buckets == 1 ? 0 : Hash.bucket(Hash.of(gpv, 1), buckets);
    }

    long address(int part) {
        return addresses[part];
    }

    int gpvs(int part) {
        return gpvs[part];
    }

    /** Returns the packets of all parts. */
    long packets() {
        return packets;
    }

    @Override
    public void close() {
        for (int p = 0; p < addresses.length; p++) {
            memory.free(addresses[p], bytes[p], MemoryTag.TEST);
        }
        memory.close();
    }
}
