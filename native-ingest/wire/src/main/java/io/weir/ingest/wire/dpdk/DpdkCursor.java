package io.weir.ingest.wire.dpdk;

import io.weir.ingest.packets.BurstCursor;
import io.weir.operators.memory.NativeAllocator;

/**
 * The frames of a receive queue. They are read in the buffers that the card wrote them to. The next
 * burst frees them. The thread that opens the queue polls it.
 */
final class DpdkCursor extends BurstCursor {
    private final DpdkDevice device;
    private final DpdkQueue queue;
    private final long[] told = new long[DpdkQueue.REASONS.size()];

    /**
     * @param queue which it closes
     */
    DpdkCursor(NativeAllocator allocator, DpdkDevice device, DpdkQueue queue) {
        super(allocator, device.linkType(), DpdkQueue.REASONS);
        this.device = device;
        this.queue = queue;
    }

    @Override
    protected int receive(long frames) {
        int count = DpdkLibrary.receive(queue.state(), frames);
        count();
        if (count == 0 && device.isFinite()) {
            end();
        }
        return count;
    }

    @Override
    protected boolean poll(long timeoutNs) {
        boolean came = queue.await(timeoutNs);
        count();
        if (!came) {
            queue.gone().ifPresent(this::fail);
        }
        return came;
    }

    /** Tells losses that the port has counted since the last call. */
    private void count() {
        for (int reason = 0; reason < told.length; reason++) {
            long sum = queue.lost(reason);
            if (sum > told[reason]) {
                lose(reason, sum - told[reason]);
                told[reason] = sum;
            }
        }
    }

    @Override
    public boolean followsClock() {
        return !device.isFinite();
    }

    @Override
    public long delayNs() {
        return 0;
    }

    @Override
    protected void release() {
        queue.close();
    }
}
