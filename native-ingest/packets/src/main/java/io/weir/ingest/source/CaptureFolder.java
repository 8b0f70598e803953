package io.weir.ingest.source;

import io.weir.ingest.capture.CapturePath;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a folder that {@code pcap:FOLDER} names.
 *
 * @param captures those whose names are names of captures, in order
 * @param twins the names of compressed captures that are there in plain, too, in order
 * @param others the names of the rest, in order
 */
record CaptureFolder(Path folder, List<Path> captures, List<String> twins, List<String> others) {
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
            List<Path> ours = files.stream().filter(CaptureFolder::isCapture).toList();
            return new CaptureFolder(
                    folder,
                    ours.stream().filter(file -> !hasPlainTwin(file)).toList(),
                    names(ours.stream().filter(CaptureFolder::hasPlainTwin)),
                    names(files.stream().filter(file -> !isCapture(file))));
        } catch (IOException e) {
            throw Sources.unreadable(named, "may not be read", null);
        }
    }

    private static boolean isCapture(Path file) {
        return Files.isRegularFile(file) && CapturePath.isNamedAsCapture(file.getFileName());
    }

    /** Returns whether the folder has the same capture before it was compressed. */
    private static boolean hasPlainTwin(Path file) {
        return CapturePath.plainName(file.getFileName())
                .filter(plain -> Files.isRegularFile(file.resolveSibling(plain)))
                .isPresent();
    }

    private static List<String> names(Stream<Path> files) {
        return files.map(file -> file.getFileName().toString()).toList();
    }

    /** Returns sentences on the files that are not read; empty if there are none. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        note(notes, others, "their names are not those of captures");
        note(notes, twins, "the files that they were compressed from are there");
        return notes;
    }

    private void note(List<String> notes, List<String> names, String reason) {
        if (!names.isEmpty()) {
            String first = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
            String more = names.size() > MOST_NAMES ? ", …" : "";
            String files = names.size() == 1 ? "1 file is" : names.size() + " files are";
            notes.add(folder + ": " + files + " not read, since " + reason + ": " + first + more);
        }
    }
}
