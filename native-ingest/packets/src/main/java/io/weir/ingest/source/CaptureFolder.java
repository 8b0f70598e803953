package io.weir.ingest.source;

import io.weir.ingest.capture.CapturePath;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a folder that {@code pcap:FOLDER} names.
 *
 * @param captures those whose names are names of captures, in order
 * @param others the names of the rest, in order
 */
record CaptureFolder(Path folder, List<Path> captures, List<String> others) {
    /** A note names so many files. */
    private static final int MOST_NAMES = 5;

    /**
     * Lists a folder.
     *
     * @throws WeirException UNREADABLE_INPUT
     */
    static CaptureFolder of(SourceSpec named) {
        Path folder = named.path();
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> files = all.filter(file -> !Files.isDirectory(file)).sorted().toList();
            return new CaptureFolder(
                    folder,
                    files.stream().filter(CaptureFolder::isCapture).toList(),
                    files.stream()
                            .filter(file -> !isCapture(file))
                            .map(file -> file.getFileName().toString())
                            .toList());
        } catch (IOException e) {
            throw Sources.unreadable(named, "may not be read", null);
        }
    }

    private static boolean isCapture(Path file) {
        return Files.isRegularFile(file) && CapturePath.isNamedAsCapture(file.getFileName());
    }

    /** Returns a sentence on the files that are not read; empty if there are none. */
    List<String> notes() {
        if (others.isEmpty()) {
            return List.of();
        }
        String names = String.join(", ", others.subList(0, Math.min(MOST_NAMES, others.size())));
        return List.of(
                folder
                        + ": "
                        + others.size()
                        + " files are not read, since their names are not those of captures: "
                        + names
                        + (others.size() > MOST_NAMES ? ", …" : ""));
    }
}
