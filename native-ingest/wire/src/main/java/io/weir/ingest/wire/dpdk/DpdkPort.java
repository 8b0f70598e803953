package io.weir.ingest.wire.dpdk;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A started port, which its queues share. The thread that opens the first queue starts it. The
 * thread that closes the last one stops it. All threads.
 */
final class DpdkPort {
    /** Open ports by their device's name. */
    private static final Map<String, DpdkPort> OPEN = new HashMap<>();

    private final DpdkDevice device;
    private final int number;
    private final BitSet taken = new BitSet();
    private volatile boolean gone;

    private DpdkPort(DpdkDevice device, int number) {
        this.device = device;
        this.number = number;
    }

    /**
     * Takes a queue of a device. The first one plugs the device in.
     *
     * @throws WeirException SOURCE_GONE: the device is not there, or is in use; UNREADABLE_INPUT
     */
    static DpdkPort open(DpdkDevice device, int queue, NativeAllocator allocator) {
        synchronized (OPEN) {
            DpdkPort port = OPEN.get(device.name());
            if (port == null) {
                port = new DpdkPort(device, plugIn(device, allocator));
                OPEN.put(device.name(), port);
            } else if (port.gone) {
                throw removed(device); // until its last queue is closed
            } else if (!port.device.equals(device) || port.taken.get(queue)) {
                throw new WeirException(
                        ErrorCode.SOURCE_GONE,
                        "dpdk:" + device.name() + " is in use by another source",
                        "a device has one name, as net_pcap0, and each name is for one source");
            }
            port.taken.set(queue);
            return port;
        }
    }

    /** Returns that the link of a device is down, if it is open and its driver says so. */
    static Optional<String> linkDown(DpdkDevice device) {
        synchronized (OPEN) {
            DpdkPort port = OPEN.get(device.name());
            boolean down = port != null && !port.gone && DpdkLibrary.isLinkDown(port.number) != 0;
            return down
                    ? Optional.of("the link of " + device.name() + " is down")
                    : Optional.empty();
        }
    }

    static WeirException removed(DpdkDevice device) {
        return new WeirException(ErrorCode.SOURCE_GONE, "dpdk:" + device.name() + " was removed");
    }

    private static int plugIn(DpdkDevice device, NativeAllocator allocator) {
        DpdkEnvironment.start(device, allocator);
        DpdkCheck.requireDevice(device, ErrorCode.SOURCE_GONE);
        long settings = allocator.allocate(PortSettings.BYTES, MemoryTag.SCRATCH);
        try (NativeTexts texts = new NativeTexts(allocator, device.arguments())) {
            device.settings().write(settings);
            int port = DpdkLibrary.openPort(texts.first(), settings, texts.error());
            if (port < 0) {
                throw DpdkLibrary.unreadable(
                        "dpdk:" + device.name() + ": " + texts.errorText(), hint(device));
            }
            return port;
        } finally {
            allocator.free(settings, PortSettings.BYTES, MemoryTag.SCRATCH);
        }
    }

    private static String hint(DpdkDevice device) {
        return device.isCard()
                ? "dpdk-devbind.py --status lists the cards that DPDK can take"
                : "memory=MIB, mbufs=N and queues=N set it up; the kernel's interfaces need"
                        + " CAP_NET_RAW";
    }

    /** Gives a queue back. The last one plugs the device out. */
    void close(int queue) {
        synchronized (OPEN) {
            taken.clear(queue);
            if (taken.isEmpty()) {
                DpdkLibrary.closePort(number);
                OPEN.remove(device.name(), this);
            }
        }
    }

    int number() {
        return number;
    }

    /** Remembers that the device is gone: no queue is opened until all are closed. */
    void lose() {
        gone = true;
    }

    boolean isGone() {
        return gone;
    }
}
