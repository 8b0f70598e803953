package io.weir.cluster.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A small file that is there as a whole, or as it was before: a full disk leaves no half of it. */
public final class WholeFile {
    private WholeFile() {}

    /** Takes the place of what the file had. */
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
            return; // it is written anew
        }
    }
}
