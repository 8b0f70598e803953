package io.weir.ingest.wire;

import io.weir.ingest.source.SourceAdvice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Looks whether an interface of the kernel has a link. */
public final class Links {
    private static final Path INTERFACES = Path.of("/sys/class/net");

    private Links() {}

    /** Returns that its link is down; empty if it is up, or if there is no such interface. */
    public static Optional<String> down(String name) {
        Path folder = INTERFACES.resolve(name);
        boolean up;
        try {
            up = !Files.readString(folder.resolve("carrier")).strip().equals("0");
        } catch (IOException e) {
            up = !Files.exists(folder); // the kernel tells no link of one that is set down
        }
        return up ? Optional.empty() : Optional.of("the link of " + name + " is down");
    }

    /** Returns advice about an interface without a link. */
    public static List<SourceAdvice> advice(String name) {
        return down(name).stream()
                .map(
                        down ->
                                new SourceAdvice(
                                        down, "ip link set " + name + " up, and its other end"))
                .toList();
    }
}
