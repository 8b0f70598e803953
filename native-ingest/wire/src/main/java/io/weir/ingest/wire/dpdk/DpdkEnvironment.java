package io.weir.ingest.wire.dpdk;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * DPDK's environment: one per process, from the first {@code dpdk:} source to the end of the
 * process. The first source chooses its memory. Any thread.
 */
final class DpdkEnvironment {
    private static final Path PCI_DEVICES = Path.of("/sys/bus/pci/devices");

    /** A device that does not exist. DPDK then takes no card that nobody named. */
    private static final String NO_CARD = "ffff:1f:1f.7";

    private static boolean started;
    private static boolean onHugepages;

    /** The reason for which DPDK did not start: it can be tried only once. */
    private static String failure;

    private DpdkEnvironment() {}

    /**
     * Starts DPDK, if it does not run yet.
     *
     * @throws WeirException NOT_SUPPORTED: the library is missing; UNREADABLE_INPUT: DPDK does not
     *     start, or runs with another kind of memory
     */
    static synchronized void start(DpdkDevice device, NativeAllocator allocator) {
        DpdkLibrary.require();
        if (failure != null) {
            throw failed();
        }
        boolean hugepages = device.hugepages().orElseGet(() -> DpdkCheck.freeHugepages() > 0);
        if (!started) {
            start(options(hugepages, device.memoryMib()), allocator);
            onHugepages = hugepages;
            started = true;
        } else if (device.hugepages().isPresent() && hugepages != onHugepages) {
            throw DpdkLibrary.unreadable(
                    device.name() + " has hugepages=" + hugepages + ", and DPDK runs without that",
                    "the first dpdk: source of a process chooses for all of them");
        }
    }

    private static void start(List<String> options, NativeAllocator allocator) {
        try (NativeTexts texts = new NativeTexts(allocator, options)) {
            if (DpdkLibrary.start(texts.first(), texts.error()) < 0) {
                failure = texts.errorText();
                throw failed();
            }
        }
    }

    private static WeirException failed() {
        return DpdkLibrary.unreadable(
                failure, "hugepages=false needs no set-up; ./weir doctor looks at DPDK");
    }

    private static List<String> options(boolean hugepages, int memoryMib) {
        List<String> options = new ArrayList<>();
        if (hugepages) {
            options.add("--in-memory");
        } else {
            options.addAll(List.of("--no-huge", "-m", "" + memoryMib, "--no-shconf"));
        }
        if (Files.isDirectory(PCI_DEVICES)) {
            options.addAll(List.of("-a", NO_CARD));
        } else {
            options.add("--no-pci");
        }
        options.addAll(List.of("--no-telemetry", "--log-level=warning"));
        return options;
    }
}
