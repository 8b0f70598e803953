package io.weir.ingest.wire.dpdk;

import io.weir.ingest.packets.BurstCursor;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.time.Deadline;
import java.util.List;

/**
 * A receive queue of a port. Its frames are read in the buffers that the card wrote them to. The
 * next burst frees them. The thread that opens it polls it.
 */
final class DpdkCursor extends BurstCursor {
    /** The struct Queue of {@code dpdk.h}. */
    private static final int GONE = 24;

    private static final int PORT = 32;
    private static final int QUEUE = 34;
    private static final int SPINS = 44;
    private static final int ON = 72;
    private static final int QUEUE_BYTES = 80 + 8 * MOST;

    private static final List<String> REASONS = List.of("nic_missed", "nic_errors", "no_mbuf");

    /** The time between two looks whether a kernel's interface is there. */
    private static final long LOOK_MS = 500;

    private final NativeAllocator allocator;
    private final DpdkDevice device;
    private final int queue;
    private final DpdkPort port;
    private final long state;
    private final long[] told = new long[REASONS.size()];
    private final KernelInterface kernelInterface;
    private Deadline nextLook = Deadline.afterMs(LOOK_MS);

    private DpdkCursor(
            NativeAllocator allocator, DpdkDevice device, int queue, DpdkPort port, long state) {
        super(allocator, device.linkType(), REASONS);
        this.allocator = allocator;
        this.device = device;
        this.queue = queue;
        this.port = port;
        this.state = state;
        kernelInterface = device.kernelInterface().map(KernelInterface::new).orElse(null);
    }

    /**
     * Opens a queue for the calling thread.
     *
     * @throws WeirException SOURCE_GONE, UNREADABLE_INPUT, NOT_SUPPORTED, OUT_OF_NATIVE_MEMORY
     */
    static DpdkCursor open(DpdkDevice device, int queue, NativeAllocator allocator) {
        DpdkPort port = DpdkPort.open(device, queue, allocator);
        long state = 0;
        try {
            state = allocator.allocate(QUEUE_BYTES, MemoryTag.SCRATCH);
            begin(device, queue, port, state, allocator);
            return new DpdkCursor(allocator, device, queue, port, state);
        } catch (RuntimeException e) {
            if (state != 0) {
                allocator.free(state, QUEUE_BYTES, MemoryTag.SCRATCH);
            }
            port.close(queue);
            throw e;
        }
    }

    private static void begin(
            DpdkDevice device, int queue, DpdkPort port, long state, NativeAllocator allocator) {
        Memory.zero(state, QUEUE_BYTES);
        Memory.putShort(state + PORT, (short) port.number());
        Memory.putShort(state + QUEUE, (short) queue);
        Memory.putInt(state + SPINS, device.cores().isEmpty() ? 0 : 1);
        Memory.putLong(state + ON, device.isFinite() ? 0 : port.number());
        int core = device.cores().isEmpty() ? -1 : device.cores().get(queue);
        try (NativeTexts texts = new NativeTexts(allocator, "")) {
            if (DpdkLibrary.openQueue(state, core, texts.error()) < 0) {
                throw DpdkLibrary.unreadable(
                        "core " + core + ": " + texts.errorText(),
                        "cores= names cores that this process may use, as cores=2,3");
            }
        }
    }

    @Override
    protected int receive(long frames) {
        int count = DpdkLibrary.receive(state, frames);
        count();
        if (count == 0 && device.isFinite()) {
            end();
        }
        return count;
    }

    @Override
    protected boolean poll(long timeoutNs) {
        boolean came = DpdkLibrary.waitForFrames(state, timeoutNs) > 0;
        count();
        if (!came) {
            look();
        }
        return came;
    }

    /** Tells losses that the port has counted since the last call. */
    private void count() {
        for (int reason = 0; reason < told.length; reason++) {
            long sum = Memory.getLong(state + (long) reason * Long.BYTES);
            if (sum > told[reason]) {
                lose(reason, sum - told[reason]);
                told[reason] = sum;
            }
        }
    }

    /** In a silence: the device may have been removed. */
    private void look() {
        if (Memory.getLong(state + GONE) != 0 || port.isGone() || isInterfaceGone()) {
            port.lose();
            fail(
                    new WeirException(
                            ErrorCode.SOURCE_GONE, "dpdk:" + device.name() + " was removed"));
        }
    }

    private boolean isInterfaceGone() {
        if (kernelInterface == null || !nextLook.isOver()) {
            return false;
        }
        nextLook = Deadline.afterMs(LOOK_MS);
        return kernelInterface.isGone();
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
        DpdkLibrary.closeQueue(state);
        allocator.free(state, QUEUE_BYTES, MemoryTag.SCRATCH);
        port.close(queue);
    }
}
