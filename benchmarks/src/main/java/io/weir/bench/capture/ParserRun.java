package io.weir.bench.capture;

import io.weir.bench.PerSource;
import io.weir.bench.ResultHash;
import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.cache.CacheMetrics;
import io.weir.ingest.cache.GpvCache;
import io.weir.ingest.cache.NativeFrames;
import io.weir.ingest.cache.PartitionedWriter;
import io.weir.ingest.packets.LentFrames;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BufferUtil;

/**
 * Runs the records of a capture, which are in memory, through C's parser and GPV cache into a ring.
 * The calling thread also runs the pipeline, which only walks the blocks.
 */
public final class ParserRun implements AutoCloseable {
    private static final int FILE_HEADER_BYTES = 24;
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final long PASS_PACKETS = 8192;

    /** The places of a source's clock behind {@link LentFrames#CLOCK}. */
    private static final int LIMIT = 8;

    private static final int CEILING = 16;
    private static final int REACH = 24;
    private static final int LATENESS = 32;

    private final MappedByteBuffer bytes;
    private final NativeAllocator own = new NativeAllocator(1 << 20);
    private final long frames;
    private final CompiledQuery query;

    /**
     * Maps the capture.
     *
     * @param capture as {@link io.weir.bench.generate.CaptureFile} writes it
     */
    public ParserRun(Path capture) throws IOException {
        if (!NativeFrames.isLoaded()) {
            throw new IllegalStateException("the library packets was not built: gcc is missing");
        }
        try (FileChannel channel = FileChannel.open(capture, StandardOpenOption.READ)) {
            bytes = channel.map(MapMode.READ_ONLY, 0, channel.size()).load();
        }
        frames = own.allocate(LentFrames.BYTES, MemoryTag.SCRATCH);
        query = KernelCompiler.compile(PerSource.query(), CacheConfig.DEFAULT.layouts());
    }

    /**
     * Runs all records to GPVs.
     *
     * @return packets that the pipeline has seen
     */
    public long toRing() {
        Account account = new Account();
        try (LocalEngine engine = new LocalEngine(EngineOptions.DEFAULT, account)) {
            pass(engine);
        }
        if (!account.isBalanced()) {
            throw new IllegalStateException("packets are missing: " + account.snapshot());
        }
        return account.snapshot().stream()
                .filter(stage -> stage.stage().equals("pipeline"))
                .mapToLong(Stage.Snapshot::processed)
                .sum();
    }

    /** Runs all records to rows per source. Returns their hash. */
    public ResultHash toRows() {
        ResultHash hash = new ResultHash();
        try (LocalEngine engine = new LocalEngine(EngineOptions.DEFAULT, new Account())) {
            engine.add(query, hash::add);
            pass(engine);
        }
        return hash;
    }

    private void pass(LocalEngine engine) {
        engine.start();
        PartitionedWriter out = new PartitionedWriter(engine.writers());
        try (GpvCache cache =
                new GpvCache(engine.allocator(), CacheConfig.DEFAULT, out, new CacheMetrics())) {
            lend();
            long end = Memory.getLong(frames + LentFrames.END);
            while (Memory.getLong(frames + LentFrames.AT) < end) {
                Memory.putLong(frames + LentFrames.PASSED, 0);
                passSome(engine, out, cache);
            }
            do {
                out.beginStep();
            } while (!flushed(engine, cache));
            out.end(Memory.getLong(frames + LentFrames.CLOCK));
            engine.awaitEnd();
        }
    }

    private void passSome(LocalEngine engine, PartitionedWriter out, GpvCache cache) {
        while (cache.pass(frames)) {
            out.beginStep();
            if (cache.makeRoom()) {
                engine.poll();
            }
        }
    }

    private static boolean flushed(LocalEngine engine, GpvCache cache) {
        boolean done = cache.flush();
        engine.poll();
        return done;
    }

    private void lend() {
        long clock = frames + LentFrames.CLOCK;
        Memory.zero(frames, LentFrames.BYTES);
        long at = BufferUtil.address(bytes);
        LentFrames.put(
                frames, at + FILE_HEADER_BYTES, at + bytes.capacity(), LentFrames.SWAPPED_RECORDS);
        Memory.putLong(frames + LentFrames.UNIT_NS, 1);
        Memory.putLong(frames + LentFrames.LONGEST, 262_144);
        Memory.putLong(frames + LentFrames.STOP_NS, Long.MAX_VALUE);
        Memory.putLong(frames + LentFrames.FLUSH_NS, Long.MAX_VALUE);
        Memory.putLong(frames + LentFrames.MOST, PASS_PACKETS);
        Memory.putLong(frames + LentFrames.BUCKET_NS, HOUR_NS);
        Memory.putLong(clock, Long.MIN_VALUE);
        Memory.putLong(clock + LIMIT, Long.MAX_VALUE);
        Memory.putLong(clock + CEILING, Long.MAX_VALUE);
        Memory.putLong(clock + REACH, HOUR_NS);
        Memory.putLong(clock + LATENESS, HOUR_NS);
    }

    @Override
    public void close() {
        own.free(frames, LentFrames.BYTES, MemoryTag.SCRATCH);
        own.close();
    }
}
