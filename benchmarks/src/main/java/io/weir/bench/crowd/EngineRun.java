package io.weir.bench.crowd;

import io.weir.bench.ResultHash;
import io.weir.bench.ResultHash.Answer;
import io.weir.bench.generate.GpvTrace;
import io.weir.operators.account.Account;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.Memory;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a trace through a whole engine with some queries, on the calling thread: into the ring,
 * through kernels, windows and results to rows. Each run has its own engine.
 */
public final class EngineRun {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT.withMemory(16L << 30, 2L << 30);

    private final GpvTrace trace;
    private final EngineOptions options;
    private long cpuNs;
    private long packetsNs;
    private final List<GpvCursor> cursors = new ArrayList<>();

    public EngineRun(GpvTrace trace) {
        this(trace, OPTIONS);
    }

    /** Makes runs whose lateness and cache's time-out are 10 ms, so that WHEN acts soon. */
    public static EngineRun quick(GpvTrace trace) {
        return new EngineRun(trace, OPTIONS.withTime(10_000_000, 10_000_000));
    }

    private EngineRun(GpvTrace trace, EngineOptions options) {
        this.trace = trace;
        this.options = options;
        GpvLayout.all().forEach(layout -> cursors.add(new GpvCursor(layout)));
    }

    /**
     * Runs the queries over the whole trace.
     *
     * @return each one's rows
     * @throws IllegalStateException packets are missing
     */
    public Map<String, Answer> run(List<CompiledQuery> queries) {
        Map<String, ResultHash> hashes = new LinkedHashMap<>();
        Account account = new Account();
        try (LocalEngine engine = new LocalEngine(options, account)) {
            for (CompiledQuery query : queries) {
                ResultHash hash = new ResultHash();
                hashes.put(query.query().name(), hash);
                engine.add(query, hash::add);
            }
            engine.start();
            long startNs = THREADS.getCurrentThreadCpuTime();
            for (int block = 0; block < trace.blocks(); block++) {
                write(block, engine);
            }
            packetsNs = THREADS.getCurrentThreadCpuTime() - startNs;
            engine.awaitEnd();
            cpuNs = THREADS.getCurrentThreadCpuTime() - startNs;
        }
        if (!account.isBalanced()) {
            throw new IllegalStateException("packets are missing: " + account.snapshot());
        }
        Map<String, Answer> answers = new LinkedHashMap<>();
        hashes.forEach((name, hash) -> answers.put(name, hash.answer()));
        return answers;
    }

    /** Returns the CPU time of the last run, from the first packet until the last row. */
    public long cpuNs() {
        return cpuNs;
    }

    /** Returns the CPU time of the last run without its end, which closes all that is open. */
    public long packetsNs() {
        return packetsNs;
    }

    private void write(int block, LocalEngine engine) {
        BlockWriter writer = engine.writers().get(0);
        BlockCursor cursor = new BlockCursor(true);
        cursor.wrap(trace.blockAddress(block), GpvTrace.BLOCK_BYTES);
        while (cursor.nextSegment()) {
            GpvCursor gpv = cursors.get(cursor.layoutId());
            long address = cursor.gpvsAddress();
            for (int g = 0; g < cursor.gpvs(); g++) {
                int count = gpv.wrap(address).count();
                int bytes = gpv.layout().gpvBytes(count);
                Memory.copy(address, writer.claim(gpv.layout(), count), bytes);
                address += bytes;
            }
        }
        writer.watermark(cursor.watermarkNs());
        engine.poll();
    }
}
