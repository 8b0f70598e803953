package io.weir.bench.wire;

import io.weir.bench.PerSource;
import io.weir.bench.ResultHash;
import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.PacketGate;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import java.util.function.Function;

/**
 * Reads a live source on the calling thread, which also runs the query: totals per source. One
 * thread.
 */
final class LiveRun implements AutoCloseable {
    private final Account account = new Account();
    private final ResultHash rows = new ResultHash();
    private final LocalEngine engine = new LocalEngine(EngineOptions.DEFAULT, account);
    private final Source source;

    /**
     * Opens the source.
     *
     * @param layout of the GPVs
     */
    LiveRun(String layout, Function<SourceContext, Source> open) {
        CacheConfig cache = CacheConfig.DEFAULT.withLayout(layout);
        CompiledQuery query = KernelCompiler.compile(PerSource.query(), cache.layouts());
        engine.add(query, rows::add);
        engine.start();
        source =
                open.apply(
                        new SourceContext(
                                new SourceConfig(SourceConfig.DEFAULT.latenessNs(), cache),
                                engine.writers(),
                                engine.allocator(),
                                account,
                                engine.throttle(),
                                PacketGate.ALL,
                                () -> System.currentTimeMillis() * 1_000_000));
    }

    /** Reads so many packets, or some more. Returns how many. */
    long read(long packets) {
        long before = engine.packets();
        long now = before;
        while (now - before < packets) {
            source.step();
            engine.poll();
            now = engine.packets();
        }
        return now - before;
    }

    /** Reads until a count of the account has been reached. */
    void readUntil(String page, long offered) {
        while (stage(page).offered() < offered) {
            source.step();
            engine.poll();
        }
    }

    /** Ends the source, and waits for the last row. */
    void end() {
        source.stop();
        while (source.step()) {
            engine.poll();
        }
        engine.awaitEnd();
        if (!account.isBalanced()) {
            throw new IllegalStateException("packets are missing: " + account.snapshot());
        }
    }

    /** Returns a page of the account. */
    Stage.Snapshot stage(String page) {
        return account.snapshot().stream()
                .filter(stage -> stage.stage().equals(page))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Fails if the rows are others.
     *
     * @param expected the hash of the right rows
     */
    void check(ResultHash expected) {
        if (rows.value() != expected.value() || rows.rows() != expected.rows()) {
            throw new IllegalStateException(
                    rows.answer() + " are the rows, not " + expected.answer());
        }
    }

    @Override
    public void close() {
        source.close();
        engine.close();
    }
}
