package io.weir.cluster.table;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The folders in which files of lookup tables and of tests lie. A statement cannot name a file
 * elsewhere, not even by a link. Immutable; any thread.
 */
public final class TableFolders {
    private final List<Path> folders;

    public TableFolders(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    /** No folders: no statement can name a file. */
    public static TableFolders none() {
        return new TableFolders(List.of());
    }

    /**
     * Fails if one of them is no folder.
     *
     * @throws WeirException INVALID_OPTION
     */
    public void check() {
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "there is no folder " + folder + " (--tables)",
                        "--tables names the folders with the files of lookup tables");
            }
        }
    }

    /**
     * Returns the real path of a file.
     *
     * @param file as the statement has it: a path inside one of the folders
     * @throws WeirException UNREADABLE_INPUT
     */
    Path find(String file) {
        if (folders.isEmpty()) {
            throw unreadable(file + " cannot be read: no folder of tables is configured");
        }
        return lookUp(file)
                .orElseThrow(() -> unreadable("there is no file " + file + " in " + shown()));
    }

    /**
     * Returns the real path of a file of a test.
     *
     * @throws WeirException UNREADABLE_INPUT: it is in none of the folders
     */
    public Path findTested(String file) {
        String where = folders.isEmpty() ? "no folder is configured" : "it is not in " + shown();
        return lookUp(file).orElseThrow(() -> unreadable(file + " cannot be read: " + where));
    }

    private Optional<Path> lookUp(String file) {
        return folders.stream().flatMap(folder -> inside(folder, file).stream()).findFirst();
    }

    private static Optional<Path> inside(Path folder, String file) {
        try {
            Path root = folder.toRealPath();
            Path real = root.resolve(file).toRealPath();
            return Optional.of(real)
                    .filter(path -> path.startsWith(root) && Files.isRegularFile(path));
        } catch (IOException | InvalidPathException notThere) {
            return Optional.empty();
        }
    }

    private String shown() {
        return folders.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private static WeirException unreadable(String message) {
        return new WeirException(
                ErrorCode.UNREADABLE_INPUT,
                message,
                "--tables FOLDER, or tables = FOLDER in the configuration file");
    }
}
