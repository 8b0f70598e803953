package io.weir.cluster.launcher;

import io.weir.cluster.disk.OwnFiles;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Makes and deletes directories of a command. */
public final class Trees {
    private Trees() {}

    /**
     * Makes the directory of an option, unless it exists.
     *
     * @throws WeirException UNWRITABLE_OUTPUT
     */
    public static Path make(Path directory) {
        try {
            OwnFiles.folder(directory);
        } catch (IOException e) {
            throw unwritable(directory, "is no directory, and none can be made");
        }
        if (!Files.isWritable(directory)) {
            throw unwritable(directory, "may not be written");
        }
        return directory;
    }

    private static WeirException unwritable(Path directory, String why) {
        return new WeirException(
                ErrorCode.UNWRITABLE_OUTPUT,
                "--directory " + directory + " " + why,
                "it takes a directory that " + System.getProperty("user.name") + " may write");
    }

    /** Deletes a directory and all in it. */
    public static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(directory)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
