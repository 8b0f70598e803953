package io.weir.bench.engine;

import com.sun.management.OperatingSystemMXBean;
import io.weir.operators.account.Account;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.Memory;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.rows.RowBatch;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs passes over GPVs in memory by engines of a shape. Each reader copies its part into the
 * rings, as a source would. One pass before the clock starts gives the tables their size. Rows are
 * made after the clock has stopped, and must have every packet.
 */
final class ScaleRun {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT.withMemory(12L << 30, 4L << 30);

    /** A step fills less than a block. */
    private static final int GPVS_A_STEP = 64;

    private final ScaleShape shape;
    private final GpvParts parts;
    private final Optional<CompiledQuery> query;
    private final int passes;
    private final AtomicLong counted = new AtomicLong();

    /**
     * @param wallNs of all passes
     * @param cores that were busy on average
     */
    record Took(long wallNs, double cores) {}

    /**
     * @param parts one for each reader
     * @param query whose second column counts packets; none: measures the readers alone
     */
    ScaleRun(ScaleShape shape, GpvParts parts, Optional<CompiledQuery> query, int passes) {
        this.shape = shape;
        this.parts = parts;
        this.query = query;
        this.passes = passes;
    }

    Took run() {
        List<LocalEngine> engines = new ArrayList<>();
        try {
            int count = shape.isAlone() ? shape.readers() : 1;
            for (int e = 0; e < count; e++) {
                engines.add(engine());
            }
            List<Reader> readers = readers(engines);
            pass(engines, readers, 1);
            long cpuNs = PROCESS.getProcessCpuTime();
            long wallNs = pass(engines, readers, passes);
            cpuNs = PROCESS.getProcessCpuTime() - cpuNs;
            engines.forEach(LocalEngine::awaitEnd);
            check();
            return new Took(wallNs, (double) cpuNs / wallNs);
        } finally {
            for (LocalEngine engine : engines) {
                engine.close();
                engine.allocator().close();
            }
        }
    }

    private LocalEngine engine() {
        EngineOptions options =
                shape.isAlone() ? OPTIONS : OPTIONS.withShape(shape.readers(), shape.pipelines());
        LocalEngine engine = new LocalEngine(options, new Account());
        query.ifPresent(code -> engine.add(code, this::count));
        engine.start();
        return engine;
    }

    private void count(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            counted.addAndGet(batch.word(r, 1));
        }
    }

    private List<Reader> readers(List<LocalEngine> engines) {
        List<Reader> readers = new ArrayList<>();
        for (int r = 0; r < shape.readers(); r++) {
            LocalEngine engine = engines.get(shape.isAlone() ? r : 0);
            List<BlockWriter> writers = engine.writers();
            int each = Math.max(1, shape.pipelines());
            int first = shape.isAlone() ? 0 : r * each;
            readers.add(new Reader(r, engine, writers.subList(first, first + each)));
        }
        return readers;
    }

    /** Runs until the kernels have seen all. */
    private long pass(List<LocalEngine> engines, List<Reader> readers, int times) {
        readers.forEach(reader -> reader.times = times);
        long took = Team.run(readers);
        if (shape.isAlone()) {
            return took;
        }
        // The rings still hold a little, which belongs to the time. The threads' start does not.
        long written = System.nanoTime();
        engines.get(0).throttle().settle();
        return took + System.nanoTime() - written;
    }

    private void check() {
        long expected = parts.packets() * (passes + 1);
        if (query.isPresent() && counted.get() != expected) {
            throw new IllegalStateException(counted + " packets in rows, not " + expected);
        }
    }

    private final class Reader implements Team.Member {
        private final int part;
        private final LocalEngine engine;
        private final List<BlockWriter> writers;
        private int times;

        Reader(int part, LocalEngine engine, List<BlockWriter> writers) {
            this.part = part;
            this.engine = engine;
            this.writers = writers;
        }

        @Override
        public void prepare() {}

        @Override
        public void work() {
            for (int pass = 0; pass < times; pass++) {
                long gpv = parts.address(part);
                for (int g = 0; g < parts.gpvs(part); g++) {
                    int count = GpvParts.count(gpv);
                    int length = GpvParts.LAYOUT.gpvBytes(count);
                    long to = writer(gpv).claim(GpvParts.LAYOUT, count);
                    Memory.copy(gpv, to, length);
                    gpv += length;
                    if (g % GPVS_A_STEP == 0) {
                        engine.poll();
                    }
                }
            }
            writers.forEach(writer -> writer.flush(0));
            engine.poll();
        }

        /** Writers are chosen as sources do: the pipelines of a partition follow each other. */
        private BlockWriter writer(long gpv) {
            if (writers.size() == 1) {
                return writers.get(0);
            }
            int ring = GpvParts.bucket(gpv, shape.readers() * shape.pipelines());
            return writers.get(ring - part * shape.pipelines());
        }

        @Override
        public void close() {}
    }
}
