package io.weir.bench.engine;

import io.weir.cluster.node.NodeSettings;
import io.weir.operators.account.Account;
import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.FieldAccess;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.rows.RowSink;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A live engine with one ring, and a reader that writes blocks of prepared GPVs. It times each
 * block, from when it is full to when the reader has its thread back. One thread.
 */
final class EngineFeed implements AutoCloseable {
    static final int GPVS_A_BLOCK = 400;
    static final int PACKETS_A_GPV = 4;
    static final GpvLayout LAYOUT = GpvLayout.FULL_V4;

    /** The layouts that a query has kernels for, as a worker's queries do. */
    static final List<GpvLayout> LAYOUTS = NodeSettings.DEFAULT.layouts();

    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final int GPV_BYTES = LAYOUT.gpvBytes(PACKETS_A_GPV);
    private static final Field START = LAYOUT.field(GpvLayout.START).orElseThrow();

    private final NativeAllocator memory = new NativeAllocator(4L << 30);
    private final LocalEngine engine;
    private final BlockWriter writer;
    private final int prepared;
    private final long gpvs;
    private final long nsAGpv;
    private long written;
    private final Random random = new Random(1);

    /**
     * @param sources distinct source addresses; destinations and ports are few
     * @param nsAGpv event time from one GPV to the next
     */
    EngineFeed(EngineOptions options, int sources, long nsAGpv) {
        this.nsAGpv = nsAGpv;
        prepared = Math.max(sources, 1 << 16);
        gpvs = memory.allocate((long) prepared * GPV_BYTES, MemoryTag.TEST);
        for (int g = 0; g < prepared; g++) {
            prepare(gpvs + (long) g * GPV_BYTES, g % sources);
        }
        engine = new LocalEngine(options.withBlocks(128 << 10, 4 << 20), new Account());
        writer = engine.writers().get(0);
    }

    private void prepare(long gpv, int source) {
        put(gpv, "src_addr", 0x0A000000L + source);
        put(gpv, "dst_addr", 0x0B000000L + random.nextInt(1000));
        put(gpv, "src_port", 1024 + random.nextInt(60000));
        put(gpv, "dst_port", random.nextInt(100));
        put(gpv, "proto", random.nextInt(10) < 8 ? 6 : 17);
        put(gpv, GpvLayout.COUNT, PACKETS_A_GPV);
        for (int p = 0; p < PACKETS_A_GPV; p++) {
            long base = gpv + LAYOUT.gpvBytes(p);
            put(base, "bytes", 40 + random.nextInt(1400));
            put(base, "tcp_flags", random.nextInt(64));
            put(base, "tcp_seq", random.nextInt());
        }
    }

    private static void put(long base, String field, long value) {
        FieldAccess.store(LAYOUT.field(field).orElseThrow(), LAYOUT.order(), base, value);
    }

    LocalEngine engine() {
        return engine;
    }

    static CompiledQuery query(String name, String sql) {
        return query(name, sql, LAYOUTS);
    }

    static CompiledQuery query(String name, String sql, List<GpvLayout> layouts) {
        SqlFrontend frontend = new SqlFrontend(new MapCatalog());
        String create = "CREATE QUERY " + name + " AS " + sql;
        Statement.CreateQuery made = (Statement.CreateQuery) frontend.parse(create).get(0);
        return KernelCompiler.compile(made.query(), layouts);
    }

    void add(String name, String sql, RowSink sink) {
        engine.add(query(name, sql), sink);
    }

    /** Fills a block, hands it over, and waits for it. Returns the nanoseconds. */
    long block() {
        for (int g = 0; g < GPVS_A_BLOCK; g++) {
            long from = gpvs + (long) random.nextInt(prepared) * GPV_BYTES;
            long to = writer.claim(LAYOUT, PACKETS_A_GPV);
            Memory.copy(from, to, GPV_BYTES);
            FieldAccess.store(START, LAYOUT.order(), to, START_NS + written * nsAGpv);
            written++;
        }
        long before = System.nanoTime();
        writer.flush(START_NS + written * nsAGpv);
        engine.poll();
        return System.nanoTime() - before;
    }

    /**
     * Runs so many blocks.
     *
     * @param share of the time for blocks, over 0; the reader waits for the rest
     */
    long[] blocks(int count, double share) {
        long[] took = new long[count];
        for (int b = 0; b < count; b++) {
            took[b] = block();
            long until = System.nanoTime() + (long) (took[b] * (1 / share - 1));
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        }
        return took;
    }

    static double microseconds(long[] took, double quantile) {
        long[] sorted = took.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, (long) (sorted.length * quantile))] / 1e3;
    }

    static long sum(long[] took) {
        return Arrays.stream(took).sum();
    }

    @Override
    public void close() {
        engine.close();
        engine.allocator().close();
        memory.free(gpvs, (long) prepared * GPV_BYTES, MemoryTag.TEST);
        memory.close();
    }
}
