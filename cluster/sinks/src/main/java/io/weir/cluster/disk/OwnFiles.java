package io.weir.cluster.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Folders and files that hold rows, statements or the catalogue: only their owner may read them. A
 * folder that exists may be shared, and stays as it is. If a file in it says that Weir has made it,
 * strangers lose their rights, and the group keeps its own. On a file system without such rights
 * nothing is changed. Stateless.
 */
public final class OwnFiles {
    private static final Set<PosixFilePermission> STRANGERS =
            PosixFilePermissions.fromString("------rwx");

    private OwnFiles() {}

    /** Makes a missing folder with mode 0700, and those above it. */
    public static Path folder(Path folder) throws IOException {
        Path above = folder.toAbsolutePath().getParent();
        if (above != null) {
            Files.createDirectories(above);
        }
        try {
            if (hasRights(above == null ? folder : above)) {
                Files.createDirectory(folder, attribute("rwx------"));
            } else {
                Files.createDirectory(folder);
            }
        } catch (FileAlreadyExistsException there) {
            if (!Files.isDirectory(folder)) {
                throw there;
            }
        }
        return folder;
    }

    /**
     * Makes a folder, as above.
     *
     * @param own a file that is in each folder of this kind that an earlier release has made
     */
    public static Path folder(Path folder, String own) throws IOException {
        folder(folder);
        if (Files.exists(folder.resolve(own))) {
            withoutStrangers(folder);
        }
        return folder;
    }

    /** Makes a missing file, empty, with mode 0600. */
    public static Path file(Path file) throws IOException {
        try {
            if (hasRights(file.toAbsolutePath().getParent())) {
                Files.createFile(file, attribute("rw-------"));
            }
        } catch (FileAlreadyExistsException there) {
            withoutStrangers(file);
        }
        return file;
    }

    private static FileAttribute<?> attribute(String rights) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights));
    }

    private static boolean hasRights(Path path) {
        return Files.getFileAttributeView(path, PosixFileAttributeView.class) != null;
    }

    /** Only the owner may change rights. Another owner guards the folder. */
    private static void withoutStrangers(Path path) throws IOException {
        if (!hasRights(path)) {
            return;
        }
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(path);
        if (rights.removeAll(STRANGERS) && isOwned(path)) {
            Files.setPosixFilePermissions(path, rights);
        }
    }

    private static boolean isOwned(Path path) throws IOException {
        return Files.getOwner(path).getName().equals(System.getProperty("user.name"));
    }
}
