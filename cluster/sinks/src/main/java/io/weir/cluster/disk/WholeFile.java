package io.weir.cluster.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a small file as a whole: a full disk leaves the old content and no half of the new one.
 */
public final class WholeFile {
    private WholeFile() {}

    /** Replaces the content of the file. */
    public static void write(Path file, byte[] bytes) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.write(made, bytes);
            Files.move(
                    made,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            remove(made);
            throw e;
        }
    }

    private static void remove(Path made) {
        try {
            Files.deleteIfExists(made);
        } catch (IOException e) {
            return; // it is written again
        }
    }
}
