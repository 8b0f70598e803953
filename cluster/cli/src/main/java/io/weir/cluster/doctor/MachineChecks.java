package io.weir.cluster.doctor;

import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks whether this machine suits a worker. It reads Linux' files. If they are missing, it notes
 * that.
 */
final class MachineChecks {
    private static final int JDK = 17;
    private static final long GIB = 1L << 30;

    /** The memory of a worker: its engine, its heap and Kafka's buffers. */
    private static final long WANTED_BYTES = 2 * GIB;

    private static final long WANTED_FILES = 4_096;
    private static final int PIECE_BYTES = 4 << 20;

    private final Path root;
    private final int jdk;

    MachineChecks() {
        this(Path.of("/"), Runtime.version().feature());
    }

    /**
     * @param root of the machine's files
     * @param jdk version of the running Java
     */
    MachineChecks(Path root, int jdk) {
        this.root = root;
        this.jdk = jdk;
    }

    List<Finding> run() {
        List<Finding> found = new ArrayList<>();
        found.add(java());
        found.add(nativeMemory());
        found.add(memory());
        found.add(largePages());
        found.add(files());
        return found;
    }

    private Finding java() {
        if (jdk != JDK) {
            return Finding.broken(
                    "java",
                    "this is Java " + jdk + "; Weir runs on " + JDK,
                    "install a JDK 17, or set JAVA_HOME to one");
        }
        return Finding.ok("java", "Java " + Runtime.version());
    }

    /** Allocates a piece as kernels' tables do, which needs the JVM's options too. */
    private static Finding nativeMemory() {
        try (NativeAllocator allocator = new NativeAllocator(PIECE_BYTES)) {
            long piece = allocator.allocate(PIECE_BYTES, MemoryTag.SCRATCH);
            allocator.free(piece, PIECE_BYTES, MemoryTag.SCRATCH);
            return Finding.ok("native memory", "can be had");
        } catch (RuntimeException | LinkageError e) {
            return Finding.broken(
                    "native memory",
                    "cannot be had: " + String.valueOf(e.getMessage()).replace('\n', ' '),
                    "start Weir by its launcher: it gives the JVM the options that it needs");
        }
    }

    private Finding memory() {
        Optional<Long> available = number("proc/meminfo", "MemAvailable:\\s+(\\d+) kB");
        if (available.isEmpty()) {
            return Finding.note("memory", "cannot be told here", "Weir is made for Linux");
        }
        long bytes = available.get() << 10;
        String about = (bytes >> 20) + " MiB are free";
        return bytes < WANTED_BYTES
                ? Finding.note(
                        "memory",
                        about,
                        "a worker takes up to "
                                + (WANTED_BYTES >> 20)
                                + " MiB: WITH (memory = …) bounds a query's groups")
                : Finding.ok("memory", about);
    }

    private Finding largePages() {
        Optional<String> mode =
                text("sys/kernel/mm/transparent_hugepage/enabled")
                        .flatMap(text -> match(text, "\\[(\\w+)\\]"));
        if (mode.isEmpty() || mode.get().equals("never")) {
            return Finding.note(
                    "large pages",
                    mode.isEmpty() ? "cannot be told here" : "are off: large tables are slower",
                    "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
        }
        return Finding.ok("large pages", mode.get());
    }

    private Finding files() {
        Optional<Long> most = number("proc/self/limits", "Max open files\\s+(\\d+)");
        if (most.isPresent() && most.get() < WANTED_FILES) {
            return Finding.note(
                    "open files",
                    "at most " + most.get(),
                    "ulimit -n " + WANTED_FILES + ", or LimitNOFILE= of its systemd unit");
        }
        return Finding.ok("open files", most.map(n -> "up to " + n).orElse("no limit is told"));
    }

    private Optional<Long> number(String file, String pattern) {
        return text(file).flatMap(text -> match(text, pattern)).map(Long::valueOf);
    }

    private static Optional<String> match(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    private Optional<String> text(String file) {
        try {
            return Optional.of(Files.readString(root.resolve(file)));
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }
}
