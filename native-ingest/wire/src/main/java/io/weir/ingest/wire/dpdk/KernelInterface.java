package io.weir.ingest.wire.dpdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An interface of the kernel that a virtual device reads. DPDK does not notice when it goes. An
 * interface that comes back with the same name has another index. One thread.
 */
final class KernelInterface {
    private static final Path ALL = Path.of("/sys/class/net");

    private final String name;
    private final String index;

    KernelInterface(String name) {
        this.name = name;
        index = index();
    }

    static boolean exists(String name) {
        return Files.exists(ALL.resolve(name));
    }

    boolean isGone() {
        return !index.equals(index());
    }

    private String index() {
        try {
            return Files.readString(ALL.resolve(name).resolve("ifindex"));
        } catch (IOException e) {
            return "";
        }
    }
}
