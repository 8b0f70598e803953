package io.weir.cluster.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories that a command has made for itself. */
final class Trees {
    private Trees() {}

    /** Deletes a directory and all in it. */
    static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(directory)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
