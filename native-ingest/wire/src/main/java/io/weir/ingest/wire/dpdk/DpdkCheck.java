package io.weir.ingest.wire.dpdk;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** Looks at this machine: DPDK's library and drivers, huge pages, and devices. Any thread. */
public final class DpdkCheck {
    private static final Path HUGEPAGES = Path.of("/sys/kernel/mm/hugepages");
    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final Path CARDS = Path.of("/sys/bus/pci/devices");

    /** Drivers of the kernel that leave a card to DPDK, or share it. */
    private static final Set<String> LEAVE_CARDS =
            Set.of("vfio-pci", "igb_uio", "uio_pci_generic", "mlx4_core", "mlx5_core");

    private DpdkCheck() {}

    /** Returns whether {@code dpdk:} sources can be opened. */
    public static boolean isLoaded() {
        return DpdkLibrary.isLoaded();
    }

    /** Returns the huge pages that nobody uses, of all sizes. */
    public static long freeHugepages() {
        long free = 0;
        try (DirectoryStream<Path> sizes = Files.newDirectoryStream(HUGEPAGES)) {
            for (Path size : sizes) {
                free += Long.parseLong(Files.readString(size.resolve("free_hugepages")).strip());
            }
        } catch (IOException | NumberFormatException e) {
            return free; // this kernel has none
        }
        return free;
    }

    /** Returns the drivers of ports that are installed, as net_pcap. */
    public static Set<String> drivers() {
        Set<String> drivers = new TreeSet<>();
        try (DirectoryStream<Path> machines = Files.newDirectoryStream(LIBRARIES, "*-linux-gnu")) {
            for (Path machine : machines) {
                addDrivers(machine.resolve("dpdk"), drivers);
            }
        } catch (IOException e) {
            return drivers; // another system's folders
        }
        return drivers;
    }

    private static void addDrivers(Path dpdk, Set<String> drivers) throws IOException {
        if (!Files.isDirectory(dpdk)) {
            return;
        }
        try (var files = Files.walk(dpdk, 2)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("librte_net_"))
                    .map(name -> name.substring("librte_".length(), name.indexOf('.')))
                    .forEach(drivers::add);
        }
    }

    /**
     * Fails if the device is not there, or cannot be one of DPDK.
     *
     * @param ifMissing the code of the error if it is not there
     */
    static void requireDevice(DpdkDevice device, ErrorCode ifMissing) {
        String name = "dpdk:" + device.name();
        if (device.isCard()) {
            requireCard(device, ifMissing);
            return;
        }
        Set<String> drivers = drivers();
        if (!drivers.isEmpty() && !drivers.contains(device.driver())) {
            throw DpdkLibrary.unreadable(
                    name + ": DPDK's driver " + device.driver() + " is not installed",
                    "apt-get install librte-" + device.driver().replace('_', '-') + "23");
        }
        device.kernelInterface()
                .filter(used -> !KernelInterface.exists(used))
                .ifPresent(
                        missing -> {
                            throw new WeirException(
                                    ifMissing,
                                    name + ": there is no interface " + missing,
                                    "ip link lists the interfaces");
                        });
        device.capture()
                .filter(file -> !Files.isReadable(file))
                .ifPresent(
                        file -> {
                            throw DpdkLibrary.unreadable(
                                    name + ": " + file + " may not be read, or does not exist",
                                    null);
                        });
    }

    private static void requireCard(DpdkDevice device, ErrorCode ifMissing) {
        Path card = CARDS.resolve(device.name());
        if (!Files.exists(card)) {
            throw new WeirException(
                    ifMissing,
                    "dpdk:" + device.name() + ": there is no such card",
                    "dpdk-devbind.py --status lists the cards");
        }
        try {
            String driver = card.resolve("driver").toRealPath().getFileName().toString();
            if (!LEAVE_CARDS.contains(driver)) {
                throw DpdkLibrary.unreadable(
                        "dpdk:" + device.name() + ": the kernel's driver " + driver + " has it",
                        "dpdk-devbind.py --bind=vfio-pci " + device.name());
            }
        } catch (IOException e) {
            throw DpdkLibrary.unreadable(
                    "dpdk:" + device.name() + ": no driver of the kernel has it",
                    "dpdk-devbind.py --bind=vfio-pci " + device.name());
        }
    }
}
