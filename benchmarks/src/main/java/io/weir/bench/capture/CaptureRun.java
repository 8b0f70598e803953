package io.weir.bench.capture;

import io.weir.bench.PerSource;
import io.weir.bench.ResultHash;
import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.CaptureSource;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs one capture file from disk through the product's source and engine, on the calling thread.
 * Opening the file and setting up the engine are part of each run.
 */
public final class CaptureRun {
    private static final EngineOptions OPTIONS = EngineOptions.DEFAULT;

    private final List<SourceSpec> inputs;
    private final SourceConfig config;
    private final CompiledQuery query;

    /**
     * Compiles the measured query.
     *
     * @param layout of the GPVs: {@code full}, {@code flow32} or {@code flow64}
     */
    public CaptureRun(Path capture, String layout) {
        CacheConfig cache = CacheConfig.DEFAULT;
        CacheConfig laidOut =
                new CacheConfig(
                        cache.slots(),
                        cache.narrowTuples(),
                        cache.wideBuffers(),
                        cache.wideTuples(),
                        cache.timeoutNs(),
                        layout);
        inputs = List.of(SourceSpec.pcap("bench", capture));
        config = new SourceConfig(SourceConfig.DEFAULT.latenessNs(), laidOut);
        query = KernelCompiler.compile(PerSource.query(), laidOut.layouts());
    }

    /**
     * Runs the capture to GPVs in the ring. The pipeline walks the blocks, and nothing is attached
     * to it.
     *
     * @return packets that the pipeline has seen
     */
    public long toRing() {
        Account account = new Account();
        try (LocalEngine engine = new LocalEngine(OPTIONS, account)) {
            replay(engine, account);
        }
        return processed(account);
    }

    /**
     * Runs the capture to rows per source.
     *
     * @return the rows' hash
     */
    public ResultHash toRows() {
        ResultHash hash = new ResultHash();
        Account account = new Account();
        try (LocalEngine engine = new LocalEngine(OPTIONS, account)) {
            engine.add(query, hash::add);
            replay(engine, account);
        }
        return hash;
    }

    private void replay(LocalEngine engine, Account account) {
        engine.start();
        try (CaptureSource source =
                new CaptureSource(
                        inputs,
                        new SourceContext(
                                config,
                                engine.writers(),
                                engine.allocator(),
                                account,
                                engine.throttle()))) {
            while (source.step()) {
                engine.poll();
            }
            engine.awaitEnd();
        }
    }

    private static long processed(Account account) {
        if (!account.isBalanced()) {
            throw new IllegalStateException("packets are missing: " + account.snapshot());
        }
        return account.snapshot().stream()
                .filter(stage -> stage.stage().equals("pipeline"))
                .mapToLong(Stage.Snapshot::processed)
                .sum();
    }
}
