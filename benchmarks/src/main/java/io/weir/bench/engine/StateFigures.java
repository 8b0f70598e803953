package io.weir.bench.engine;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.FieldAccess;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.Locale;

/**
 * Measures a group's native memory against the bytes of its key and values. It measures while
 * groups come (the most at any time, old and new tables together). It also measures when all are
 * there, and while rows are made.
 */
final class StateFigures implements AutoCloseable {
    private static final GpvLayout LAYOUT = GpvLayout.of("flow32", 4).orElseThrow();
    private static final int GPVS = 1_000;

    /** Smaller tables grow by four while they fill. */
    private static final long SMALL_BYTES = 40L << 20;

    private static final int GPV_BYTES = LAYOUT.gpvBytes(1);

    private final NativeAllocator memory = new NativeAllocator(16L << 30);
    private final NativeAllocator scratch = new NativeAllocator(1 << 20);
    private final long gpvs = scratch.allocate((long) GPVS * GPV_BYTES, MemoryTag.TEST);
    private final int groups;
    private final int bytesAGroup;
    private volatile long seen;
    private volatile double most;
    private volatile double mostSmall;
    private volatile boolean isOver;
    private Partial partial;

    /**
     * @param bytesAGroup of key and values, as SQL has them
     */
    private StateFigures(int groups, int bytesAGroup) {
        this.groups = groups;
        this.bytesAGroup = bytesAGroup;
    }

    static void print(int groups) throws InterruptedException {
        print(groups, "src_addr", 4 + 8 + 8);
        print(groups, "src_addr, dst_addr, src_port, dst_port, proto", 13 + 8 + 8);
    }

    private static void print(int groups, String keys, int bytesAGroup)
            throws InterruptedException {
        String sql =
                "SELECT %s, COUNT(*) AS packets, SUM(bytes) AS bytes FROM packets GROUP BY %s"
                        .formatted(keys, keys);
        CompiledQuery query = EngineFeed.query("state", sql, List.of(LAYOUT));
        try (StateFigures figures = new StateFigures(groups, bytesAGroup)) {
            figures.fill(query);
            figures.rows(query);
        }
    }

    private void fill(CompiledQuery query) throws InterruptedException {
        StateOptions options = new StateOptions(8L << 30, 0);
        try (QueryState state = query.newState(memory, new ActiveInterval(), options)) {
            Thread watch = new Thread(this::watch);
            watch.start();
            for (int done = 0; done < groups; done += GPVS) {
                int count = Math.min(GPVS, groups - done);
                write(done, count);
                state.segment(LAYOUT.id(), 0, 0, gpvs, count);
                seen = (long) done + count;
            }
            isOver = true;
            watch.join();
            if (state.packetsStateFull() > 0) {
                throw new IllegalStateException("no room for all groups");
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d bytes of key and values a group%n",
                    query.query().aggregate().orElseThrow().keys().size() == 1
                            ? "IPv4 source, packets, bytes"
                            : "IPv4 5-tuple, packets, bytes",
                    bytesAGroup);
            say("growing, at most", most);
            say("growing, in less than 40 MiB", mostSmall);
            say("settled, as kernels fill it", share());
            state.finish();
            partial = state.nextWindow().groups();
        }
    }

    /** Another thread watches, because the packet path cannot while it moves a table. */
    private void watch() {
        while (!isOver) {
            long have = seen;
            // With few groups the first tables are most of it.
            if (have > groups / 64) {
                long bytes = memory.usedBytes();
                double share = (double) bytes / have / bytesAGroup;
                most = bytes > SMALL_BYTES ? Math.max(most, share) : most;
                mostSmall = bytes > SMALL_BYTES ? mostSmall : Math.max(mostSmall, share);
            }
            Thread.onSpinWait();
        }
    }

    private void rows(CompiledQuery query) {
        if (partial.groups() != groups) {
            throw new IllegalStateException(partial.groups() + " groups");
        }
        try (RowBatch rows = query.finish(partial, 0, 0, RowContext.WHOLE, memory)) {
            say("settled for results, its tables", (double) partial.bytes() / groups / bytesAGroup);
            say("the same, with all rows", share());
            if (rows.rows() != groups) {
                throw new IllegalStateException(rows.rows() + " rows");
            }
        }
        partial.close();
    }

    private double share() {
        return (double) memory.usedBytes() / groups / bytesAGroup;
    }

    private void say(String what, double share) {
        System.out.printf(
                Locale.ROOT,
                "  %-32s %.1f bytes a group, %.2f x; %d groups%n",
                what,
                share * bytesAGroup,
                share,
                groups);
    }

    private void write(int from, int count) {
        for (int g = 0; g < count; g++) {
            long gpv = gpvs + (long) g * GPV_BYTES;
            int group = from + g;
            // Odd, so that no two groups have the same address.
            put(gpv, "src_addr", group * 0x9E37_79B1 & 0xffff_ffffL);
            put(gpv, "dst_addr", 0x0A00_0000L + (group & 0xffff));
            put(gpv, "src_port", group >>> 4 & 0xffff);
            put(gpv, "dst_port", 443);
            put(gpv, "proto", 6);
            put(gpv, GpvLayout.COUNT, 1);
            put(gpv + LAYOUT.gpvBytes(0), "bytes", 100);
        }
    }

    private static void put(long base, String name, long value) {
        Field field = LAYOUT.field(name).orElseThrow();
        FieldAccess.store(field, LAYOUT.order(), base, value);
    }

    @Override
    public void close() {
        scratch.free(gpvs, (long) GPVS * GPV_BYTES, MemoryTag.TEST);
        scratch.close();
        memory.close();
    }
}
