package io.weir.cluster.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A disk of a few MiB, mounted for a test, which others can fill. It takes root. */
public final class SmallDisk implements AutoCloseable {
    private static final int PIECE_BYTES = 16 << 10;

    private final Path directory;
    private final Path filler;

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.filler = directory.resolve("filler");
    }

    /** In memory; skips the test where there can be none. */
    public static SmallDisk tmpfs(Path home, int mib) throws IOException {
        Path at = Files.createDirectories(home.resolve("disk"));
        String size = "size=" + mib + "m";
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", size, "tmpfs", at.toString()),
                "no disk can be mounted here: it takes root");
        return new SmallDisk(at);
    }

    /** A file system that gives blocks late, in a file; skips the test where there can be none. */
    public static SmallDisk ext4(Path home, int mib) throws IOException {
        Path image = home.resolve("image");
        Path at = Files.createDirectories(home.resolve("disk"));
        assumeTrue(
                run("truncate", "-s", mib + "M", image.toString())
                        && run("mkfs.ext4", "-q", "-F", image.toString())
                        && run("mount", "-o", "loop", image.toString(), at.toString()),
                "no file system can be made and mounted here: it takes root, and mkfs.ext4");
        return new SmallDisk(at);
    }

    public Path directory() {
        return directory;
    }

    /** Others take all that is left of it, but for so many bytes. */
    public void fill(long exceptBytes) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (exceptBytes == 0 || DiskSpace.freeBytes(directory) > exceptBytes + PIECE_BYTES) {
                out.write(piece);
            }
        } catch (IOException full) {
            return;
        }
    }

    /** They give it back. */
    public void free() throws IOException {
        Files.deleteIfExists(filler);
    }

    /** Of a directory, those whose names end so. */
    public static List<Path> files(Path directory, String... ends) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> Arrays.stream(ends).anyMatch(file.toString()::endsWith))
                    .sorted()
                    .toList();
        }
    }

    /** So much of a disk a file has: where it has holes that is less than its length. */
    public static long takenBytes(Path file) throws IOException {
        Process du = new ProcessBuilder("du", "-B1", file.toString()).start();
        try (var said = du.inputReader()) {
            return Long.parseLong(said.readLine().split("\\s+")[0]);
        }
    }

    public void readOnly(boolean is) {
        assumeTrue(
                run("mount", "-o", "remount," + (is ? "ro" : "rw"), directory.toString()),
                "the disk cannot be mounted anew");
    }

    private static boolean run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (!run("umount", directory.toString())) {
            run("umount", "-l", directory.toString());
        }
    }
}
