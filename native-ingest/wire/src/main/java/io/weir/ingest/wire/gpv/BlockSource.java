package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.GpvSource;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Symbols;
import io.weir.operators.time.Stopwatch;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Receives blocks in bursts, and puts their GPVs into the rings. C checks each datagram once.
 * {@link BlockIntake} decides which blocks are taken. The source's thread; no allocation per block.
 */
public abstract class BlockSource implements GpvSource {
    /** A step takes about so many bytes: less than a ring has. */
    private static final long STEP_BYTES = 64 * 1024;

    private final BlockIntake intake;
    private final LongSupplier wallNs;
    private final Stopwatch open = Stopwatch.started();
    private final Counter gpvBytes = new Counter();
    private volatile boolean stopped;
    private boolean ended;
    private int received;
    private int taken;

    /**
     * @param mostSenders kept apart
     */
    protected BlockSource(SourceContext context, SourceSpec spec, int mostSenders) {
        intake = new BlockIntake(context, spec, context.config().cache().layouts(), mostSenders);
        intake.source(Symbols.id(spec.node()));
        wallNs = context.wallNs();
    }

    /** Returns the page of blocks, for those that never become one. */
    protected final Stage page() {
        return intake.blocks();
    }

    /**
     * Receives a burst. Waits a moment for its first block.
     *
     * @return the number of blocks, which stay until the next call
     */
    protected abstract int receive();

    /** Returns a block of the last burst; one object is used for all. */
    protected abstract ReceivedBlock block(int index);

    /** Checks a datagram in memory, and writes a {@link ReceivedBlock} of it. Returns its fault. */
    protected static int check(long datagram, int length, long block) {
        return UdpBlocks.check(datagram, length, block);
    }

    /** Counts what was left out or lost since the last call, before it became a block. */
    protected abstract void count();

    /** Returns whether no block comes any more. */
    protected boolean hasEnded() {
        return false;
    }

    @Override
    public final boolean step() {
        if (taken == received && (stopped || hasEnded())) {
            end();
            return false;
        }
        if (taken == received) {
            taken = 0;
            received = 0; // if it fails, there is nothing to take
            received = receive();
        }
        long nowNs = open.ns();
        long wall = wallNs.getAsLong();
        long bytes = 0;
        while (taken < received && bytes < STEP_BYTES) {
            ReceivedBlock block = block(taken++);
            bytes += block.gpvsBytes();
            intake.block(block, nowNs, wall);
        }
        gpvBytes.add(bytes);
        intake.passOn(nowNs, wall);
        count();
        return true;
    }

    private void end() {
        if (!ended) {
            ended = true;
            count();
            intake.end();
        }
    }

    @Override
    public final void stop() {
        stopped = true;
    }

    @Override
    public final long bytes() {
        return gpvBytes.value();
    }

    @Override
    public final List<String> notes() {
        return intake.notes();
    }
}
