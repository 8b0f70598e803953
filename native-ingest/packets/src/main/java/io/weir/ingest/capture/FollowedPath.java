package io.weir.ingest.capture;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that {@code follow=true} reads: one file, the captures of a folder, or the files of a
 * folder whose names match a pattern ({@code eth0.pcap*}). Compressed captures of a folder are left
 * out: a rotation makes them of files that were read.
 *
 * @param folder that has the files
 * @param isExact whether this is one file, which must be there
 * @param names which names are meant
 */
public record FollowedPath(Path folder, boolean isExact, PathMatcher names) {
    private static final String PATTERN_SIGNS = ".*[*?\\[{].*";

    /** Reads an address. */
    public static FollowedPath of(Path address) {
        if (Files.isDirectory(address)) {
            return new FollowedPath(address, false, CapturePath::isNamedAsPlainCapture);
        }
        Path parent = address.getParent() == null ? Path.of(".") : address.getParent();
        Path name = address.getFileName();
        if (!Files.exists(address) && name.toString().matches(PATTERN_SIGNS)) {
            PathMatcher names = FileSystems.getDefault().getPathMatcher("glob:" + name);
            return new FollowedPath(parent, false, names);
        }
        return new FollowedPath(parent, true, name::equals);
    }

    /** Returns the files that are there now. If the folder has gone, there are none. */
    List<Path> list() {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(folder, file -> names.matches(file.getFileName()))) {
            all.forEach(files::add);
        } catch (IOException e) {
            files.clear(); // it may come back
        }
        return files;
    }
}
