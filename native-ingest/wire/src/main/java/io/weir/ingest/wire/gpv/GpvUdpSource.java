package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Counter;

/** Receives blocks at one UDP port, by a socket. */
final class GpvUdpSource extends BlockSource {
    private static final int WAIT_MS = 20;

    private final UdpBlocks socket;
    private final Counter otherSenders = page().excluded("sender_not_allowed");
    private final Counter kernel = page().lost("kernel");

    GpvUdpSource(SourceSpec spec, GpvUdpOptions options, int queue, SourceContext context) {
        super(context, spec, options.senders());
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
    protected int receive() {
        return socket.receive(WAIT_MS);
    }

    @Override
    protected ReceivedBlock block(int index) {
        return socket.block(index);
    }

    @Override
    protected void count() {
        long refused = socket.notAllowed() - otherSenders.value();
        long dropped = socket.dropped() - kernel.value();
        if (refused + dropped > 0) {
            page().offered().add(refused + dropped);
            otherSenders.add(refused);
            kernel.add(dropped);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
