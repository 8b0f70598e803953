package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.GpvSource;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Counter;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Symbols;
import io.weir.operators.time.Stopwatch;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Receives blocks at one UDP port, and puts their GPVs into the rings. C checks each datagram once.
 * {@link BlockIntake} decides which blocks are taken. The source's thread; no allocation per block.
 */
final class GpvUdpSource implements GpvSource {
    private static final int WAIT_MS = 20;

    private final UdpBlocks socket;
    private final BlockIntake intake;
    private final Counter otherSenders;
    private final Counter kernel;
    private final Counter offered;
    private final LongSupplier wallNs;
    private final Stopwatch open = Stopwatch.started();
    private volatile boolean stopped;
    private boolean ended;

    GpvUdpSource(SourceSpec spec, GpvUdpOptions options, int queue, SourceContext context) {
        List<GpvLayout> layouts = context.config().cache().layouts();
        intake = new BlockIntake(context, spec, layouts, options.senders());
        intake.source(Symbols.id(spec.node()));
        wallNs = context.wallNs();
        otherSenders = intake.blocks().excluded("sender_not_allowed");
        kernel = intake.blocks().lost("kernel");
        offered = intake.blocks().offered();
        int port = options.port() == 0 ? 0 : options.port() + queue;
        socket =
                new UdpBlocks(
                        context.allocator(),
                        options.listen(),
                        port,
                        options.allow(),
                        options.bufferBytes());
    }

    /** Returns the port at which it listens. */
    int port() {
        return socket.port();
    }

    @Override
    public boolean step() {
        if (stopped) {
            end();
            return false;
        }
        int received = socket.receive(WAIT_MS);
        long nowNs = open.ns();
        long wall = wallNs.getAsLong();
        for (int i = 0; i < received; i++) {
            intake.block(socket.block(i), nowNs, wall);
        }
        intake.passOn(nowNs, wall);
        countRefused();
        return true;
    }

    private void countRefused() {
        long refused = socket.notAllowed() - otherSenders.value();
        long dropped = socket.dropped() - kernel.value();
        if (refused + dropped > 0) {
            offered.add(refused + dropped);
            otherSenders.add(refused);
            kernel.add(dropped);
        }
    }

    private void end() {
        if (!ended) {
            ended = true;
            countRefused();
            intake.end();
        }
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public List<String> notes() {
        return intake.notes();
    }

    @Override
    public void close() {
        socket.close();
    }
}
