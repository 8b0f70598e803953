package io.weir.cluster.outbox;

import io.weir.cluster.disk.BackedFile;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.RollingResourcesCache;
import net.openhft.chronicle.queue.impl.single.PrecreatedFiles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.Wires;

/**
 * The files of a Chronicle Queue, as far as they are made and removed beside it. Chronicle maps
 * them, and a mapped page that the disk does not have ends the process. So each is made of zeros
 * that the disk has, before Chronicle opens it. One thread.
 */
final class CycleFiles {
    /**
     * Bytes behind the last entry that the disk has. There Chronicle writes its headers, a mark of
     * a file's end, and index pages of 16 KiB.
     */
    static final long SLACK_BYTES = 128 << 10;

    /** Chronicle's table of locks and cycles: two pages of 64 KiB are mapped. */
    private static final long TABLE_BYTES = 128 << 10;

    private static final String SUFFIX = SingleChronicleQueue.SUFFIX;
    private static final String TABLE = "metadata.cq4t";
    private static final String MADE_SUFFIX = ".precreated";

    private final Path directory;
    private final RollingResourcesCache names;

    CycleFiles(Path directory, RollCycle cycle) {
        this.directory = directory;
        this.names =
                new RollingResourcesCache(
                        cycle,
                        cycle.defaultEpoch(),
                        name -> directory.resolve(name + SUFFIX).toFile(),
                        file -> name(file.toPath()));
    }

    private static String name(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - SUFFIX.length());
    }

    private Path file(int cycle) {
        File file = names.resourceFor(cycle).path;
        return file.toPath();
    }

    private Path made(int cycle) {
        return PrecreatedFiles.preCreatedFile(file(cycle).toFile()).toPath();
    }

    /** Their names are times, so their order is that of the entries. */
    private List<Path> all(String suffix) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> there = Files.list(directory)) {
            return there.filter(file -> file.toString().endsWith(suffix))
                    .sorted(Comparator.comparing(file -> file.getFileName().toString()))
                    .toList();
        }
    }

    /** Cycles of the files that exist, in order. */
    List<Integer> cycles() throws IOException {
        return all(SUFFIX).stream().map(file -> names.parseCount(name(file))).toList();
    }

    /** A file for a cycle, which readers do not see yet. */
    BackedFile make(int cycle) throws IOException {
        return BackedFile.make(made(cycle));
    }

    /** Readers may see it from now on. */
    void show(int cycle) throws IOException {
        Files.move(made(cycle), file(cycle), StandardCopyOption.ATOMIC_MOVE);
    }

    void remove(int cycle) throws IOException {
        Files.deleteIfExists(file(cycle));
    }

    /**
     * Before Chronicle opens them to write: a process may have been killed at any time. The table's
     * content follows from the files, except locks that nobody holds any more.
     */
    void mend() throws IOException {
        for (Path begun : all(MADE_SUFFIX)) {
            Files.delete(begun);
        }
        for (Path file : all(SUFFIX)) {
            if (!hasHeader(file)) {
                Files.delete(file);
            }
        }
        List<Path> left = all(SUFFIX);
        if (!left.isEmpty()) {
            BackedFile.backEnd(left.get(left.size() - 1), SLACK_BYTES / 2);
        }
        BackedFile.zero(directory.resolve(TABLE), TABLE_BYTES);
    }

    /** Entries follow only once it is whole. */
    private static boolean hasHeader(Path file) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.read(first, 0) == Integer.BYTES && Wires.isReady(first.getInt(0));
        }
    }
}
