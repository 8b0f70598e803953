package io.weir.cluster.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFilesTest {
    @TempDir private Path directory;

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void give(Path path, String rights) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    }

    @Test
    void aFolderThatIsMadeIsItsOwners() throws IOException {
        Path folder = OwnFiles.folder(directory.resolve("a/b"));
        assertEquals("rwx------", rights(folder));
        assertEquals(folder, OwnFiles.folder(folder));
        assertEquals("rwx------", rights(folder));
    }

    @Test
    void ofOneThatWeirHasMadeStrangersLoseTheirRightsAndTheGroupKeepsThem() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("there"));
        give(folder, "rwxr-xr-x");
        OwnFiles.folder(folder, "own");
        assertEquals("rwxr-xr-x", rights(folder)); // it may be anybody's
        Files.createFile(folder.resolve("own"));
        OwnFiles.folder(folder);
        assertEquals("rwxr-xr-x", rights(folder));
        OwnFiles.folder(folder, "own");
        assertEquals("rwxr-x---", rights(folder));
    }

    @Test
    void aFileInTheFoldersPlaceIsAnError() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThrows(IOException.class, () -> OwnFiles.folder(file));
        assertThrows(IOException.class, () -> OwnFiles.folder(file.resolve("below")));
    }

    @Test
    void aFileIsItsOwners() throws IOException {
        Path file = OwnFiles.file(directory.resolve("history"));
        assertEquals("rw-------", rights(file));
        Files.writeString(file, "SELECT 1\n");
        give(file, "rw-r--r--");
        OwnFiles.file(file);
        assertEquals("rw-r-----", rights(file));
        assertEquals("SELECT 1\n", Files.readString(file));
    }
}
