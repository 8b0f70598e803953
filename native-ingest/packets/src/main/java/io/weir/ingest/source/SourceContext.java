package io.weir.ingest.source;

import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.OwnPipelines;
import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The engine's side of a source: everything that the source needs to feed it.
 *
 * @param config its lateness, and the sizes and the time-out of its cache
 * @param writers of its own rings, in the order of {@link io.weir.ingest.cache.PartitionedWriter};
 *     no other source writes to them
 * @param account gets its pages
 * @param throttle how far it may run
 * @param gate which packets it takes
 * @param wallNs the wall clock, in nanoseconds since the epoch
 * @param pipelines of its rings, which its reader runs after each step
 */
public record SourceContext(
        SourceConfig config,
        List<BlockWriter> writers,
        NativeAllocator allocator,
        Account account,
        SourceThrottle throttle,
        PacketGate gate,
        LongSupplier wallNs,
        OwnPipelines pipelines) {
    public SourceContext {
        writers = List.copyOf(writers);
    }

    /** Makes the context of a reader whose pipelines run elsewhere. */
    public SourceContext(
            SourceConfig config,
            List<BlockWriter> writers,
            NativeAllocator allocator,
            Account account,
            SourceThrottle throttle,
            PacketGate gate,
            LongSupplier wallNs) {
        this(config, writers, allocator, account, throttle, gate, wallNs, OwnPipelines.NONE);
    }

    /** Makes the context of such a source that reads the machine's clock. */
    public SourceContext(
            SourceConfig config,
            List<BlockWriter> writers,
            NativeAllocator allocator,
            Account account,
            SourceThrottle throttle,
            PacketGate gate) {
        this(config, writers, allocator, account, throttle, gate, wallNs(Clock.SYSTEM));
    }

    private static LongSupplier wallNs(Clock clock) {
        return () -> clock.millis() * 1_000_000;
    }

    /** Makes the context of such a source that takes all packets. */
    public SourceContext(
            SourceConfig config,
            List<BlockWriter> writers,
            NativeAllocator allocator,
            Account account,
            SourceThrottle throttle) {
        this(config, writers, allocator, account, throttle, PacketGate.ALL);
    }

    /** Returns this context with another throttle. */
    public SourceContext with(SourceThrottle otherPace) {
        return new SourceContext(
                config, writers, allocator, account, otherPace, gate, wallNs, pipelines);
    }

    /** Returns this context with another account. */
    public SourceContext with(Account otherAccount) {
        return new SourceContext(
                config, writers, allocator, otherAccount, throttle, gate, wallNs, pipelines);
    }

    /** Returns this context with pipelines that its reader runs. */
    public SourceContext with(OwnPipelines own) {
        return new SourceContext(config, writers, allocator, account, throttle, gate, wallNs, own);
    }
}
