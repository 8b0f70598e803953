package io.weir.ingest.wire.dpdk;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.time.Deadline;
import java.util.List;
import java.util.Optional;

/** A receive queue of a port. The thread that opens it polls it. */
final class DpdkQueue implements AutoCloseable {
    /** The reasons for which a port loses packets. */
    static final List<String> REASONS = List.of("nic_missed", "nic_errors", "no_mbuf");

    /** The struct Queue of {@code dpdk.h}. */
    private static final int GONE = 24;

    private static final int PORT = 32;
    private static final int QUEUE = 34;
    private static final int SPINS = 44;
    private static final int ON = 72;
    private static final int MOST = 256;
    private static final int QUEUE_BYTES = 88 + 8 * MOST;

    /** The time between two looks whether a kernel's interface is there. */
    private static final long LOOK_MS = 500;

    private final NativeAllocator allocator;
    private final DpdkDevice device;
    private final int queue;
    private final DpdkPort port;
    private final long state;
    private final KernelInterface kernelInterface;
    private Deadline nextLook = Deadline.afterMs(LOOK_MS);
    private boolean closed;

    private DpdkQueue(
            NativeAllocator allocator, DpdkDevice device, int queue, DpdkPort port, long state) {
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
    static DpdkQueue open(DpdkDevice device, int queue, NativeAllocator allocator) {
        DpdkPort port = DpdkPort.open(device, queue, allocator);
        long state = 0;
        try {
            state = allocator.allocate(QUEUE_BYTES, MemoryTag.SCRATCH);
            begin(device, queue, port, state, allocator);
            return new DpdkQueue(allocator, device, queue, port, state);
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

    /** Returns the address of its struct, for C. */
    long state() {
        return state;
    }

    /** Returns the packets that the port has lost, so far. */
    long lost(int reason) {
        return Memory.getLong(state + (long) reason * Long.BYTES);
    }

    /** Waits until frames are there. Returns whether some are. */
    boolean await(long timeoutNs) {
        return DpdkLibrary.waitForFrames(state, timeoutNs) > 0;
    }

    /** In a silence: returns why no frame comes any more, if the device was removed. */
    Optional<WeirException> gone() {
        if (Memory.getLong(state + GONE) != 0 || port.isGone() || isInterfaceGone()) {
            port.lose();
            return Optional.of(DpdkPort.removed(device));
        }
        return Optional.empty();
    }

    private boolean isInterfaceGone() {
        if (kernelInterface == null || !nextLook.isOver()) {
            return false;
        }
        nextLook = Deadline.afterMs(LOOK_MS);
        return kernelInterface.isGone();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            DpdkLibrary.closeQueue(state);
            allocator.free(state, QUEUE_BYTES, MemoryTag.SCRATCH);
            port.close(queue);
        }
    }
}
