package io.weir.ingest.wire.dpdk;

import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.wire.gpv.BlockSource;
import io.weir.ingest.wire.gpv.GpvPorts;
import io.weir.ingest.wire.gpv.Network;
import io.weir.ingest.wire.gpv.ReceivedBlock;
import io.weir.operators.account.Counter;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes blocks of GPVs from the UDP datagrams of a receive queue. C finds and checks them in the
 * buffers that the card wrote. Their GPVs are copied into the rings. The next burst frees the
 * buffers. The thread that opens the queue polls it.
 */
final class DpdkBlocks extends BlockSource {
    /** The struct Blocks of {@code blocks.h}, whose counts come first. */
    private static final int FRAMES = 48;

    private static final int FIRST_PORT = 52;
    private static final int PORTS = 54;
    private static final int ALLOWED_COUNT = 56;
    private static final int ALLOWED = 64;
    private static final int BLOCKS = ALLOWED + Network.BYTES * Network.MOST;
    private static final int BURST = 256;
    private static final int FRAME_BYTES = 32;
    private static final int BYTES = BLOCKS + (ReceivedBlock.BYTES + FRAME_BYTES) * BURST;

    private static final long WAIT_NS = 20_000_000L;

    private final DpdkQueue queue;
    private final boolean finite;
    private final NativeAllocator allocator;
    private final ReceivedBlock block = new ReceivedBlock();
    private final List<Counter> left;
    private final List<Counter> lost = new ArrayList<>();
    private final long state;
    private boolean ended;
    private boolean closed;

    /**
     * @param queue which it closes, also if this fails
     */
    DpdkBlocks(SourceSpec spec, DpdkDevice device, DpdkQueue queue, SourceContext context) {
        super(context, spec, device.gpvPorts().orElseThrow().senders());
        this.queue = queue;
        finite = device.isFinite();
        allocator = context.allocator();
        // In the order of DatagramKind in gpv/datagram.h.
        left =
                List.of(
                        page().excluded("other_frame"),
                        page().excluded("other_port"),
                        page().excluded("fragment"),
                        page().lost("cut_frame"),
                        page().lost("false_length"),
                        page().excluded("sender_not_allowed"));
        DpdkQueue.REASONS.forEach(reason -> lost.add(page().lost(reason)));
        state = allocator.allocate(BYTES, MemoryTag.SCRATCH);
        GpvPorts ports = device.gpvPorts().orElseThrow();
        Memory.zero(state, BYTES);
        Memory.putShort(state + FIRST_PORT, (short) ports.first());
        Memory.putShort(state + PORTS, (short) ports.count());
        Memory.putInt(state + ALLOWED_COUNT, ports.allow().size());
        Network.putAll(state + ALLOWED, ports.allow());
    }

    @Override
    protected int receive() {
        int blocks = DpdkLibrary.receiveBlocks(queue.state(), state);
        if (Memory.getInt(state + FRAMES) > 0) {
            return blocks;
        }
        if (finite) {
            ended = true;
        } else if (!queue.await(WAIT_NS)) {
            Optional<WeirException> gone = queue.gone();
            if (gone.isPresent()) {
                throw gone.get();
            }
        }
        return 0;
    }

    @Override
    protected ReceivedBlock block(int index) {
        return block.wrap(state + BLOCKS + (long) index * ReceivedBlock.BYTES);
    }

    @Override
    protected void count() {
        for (int i = 0; i < left.size(); i++) {
            count(left.get(i), Memory.getLong(state + (long) i * Long.BYTES));
        }
        for (int i = 0; i < lost.size(); i++) {
            count(lost.get(i), queue.lost(i));
        }
    }

    private void count(Counter counter, long sum) {
        long more = sum - counter.value();
        if (more > 0) {
            page().offered().add(more);
            counter.add(more);
        }
    }

    @Override
    protected boolean hasEnded() {
        return ended;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            queue.close();
            allocator.free(state, BYTES, MemoryTag.SCRATCH);
        }
    }
}
