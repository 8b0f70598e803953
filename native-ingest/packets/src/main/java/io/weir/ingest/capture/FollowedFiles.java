package io.weir.ingest.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The files of one writer, which it writes one after another. It may overwrite or remove the
 * oldest, as rings do. They are in the order of their first packets. If files go away unread, they
 * are counted as lost. One thread.
 */
final class FollowedFiles {
    private final FollowedPath where;
    private final FollowedCounts counts;

    /** By the file's number on its disk, whatever its name is. */
    private final Map<Object, FollowedFile> known = new HashMap<>();

    /** Numbers of files that were there since the last {@link #take}. */
    private final Set<Long> numbers = new HashSet<>();

    private FollowedFile taken;

    FollowedFiles(FollowedPath where, FollowedCounts counts) {
        this.where = where;
        this.counts = counts;
    }

    /** Looks at the files as they are now. */
    void look() {
        Set<Object> there = new HashSet<>();
        for (Path path : where.list()) {
            try {
                BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
                if (now.isRegularFile()) {
                    there.add(now.fileKey());
                    look(path, now);
                }
            } catch (IOException gone) {
                // It has just gone, or may not be read: the next look tells.
            }
        }
        known.entrySet().removeIf(one -> !there.contains(one.getKey()) && isGone(one.getValue()));
    }

    private void look(Path path, BasicFileAttributes now) throws IOException {
        FollowedFile file = known.get(now.fileKey());
        if (file != null && file.hasChanged(now) && isOther(file, path)) {
            file = null;
        }
        if (file == null) {
            file = new FollowedFile(path, now);
            known.put(now.fileKey(), file);
        }
        file.see(path, now);
        FileNumber.of(path).ifPresent(number -> numbers.add(number.value()));
        String problem = file.lookForPacket();
        if (problem != null) {
            file.state = FollowedFile.State.NO_CAPTURE;
            counts.exclude("not_a_capture", path + " " + problem);
        }
        if (file.hasGrownUnread()) {
            counts.lose("grew_later", 1, path + ": grew after the next file had begun");
        }
    }

    /** Returns whether another file is in its place. */
    private boolean isOther(FollowedFile file, Path path) throws IOException {
        boolean other = !file.start().isStartOf(FileStart.of(path));
        if (other && file.isMissed()) {
            counts.lose("overwritten", 1, file.path() + ": was overwritten before it was read");
        }
        return other;
    }

    private boolean isGone(FollowedFile file) {
        if (file.isMissed()) {
            counts.lose("deleted", 1, file.path() + ": was deleted before it was read");
        }
        return true;
    }

    /** Returns the oldest file that was not read, if it has a packet. */
    Optional<FollowedFile> next() {
        return known.values().stream()
                .filter(FollowedFile::isMissed)
                .min(
                        Comparator.comparingLong(FollowedFile::firstNs)
                                .thenComparing(FollowedFile::changed)
                                .thenComparing(FollowedFile::path));
    }

    /** Notes that a file is read now. Files between it and the last, by number, were never seen. */
    void take(FollowedFile next) {
        if (taken != null) {
            FileNumber.between(taken.path(), next.path())
                    .ifPresent(
                            range -> {
                                long unseen = range.filter(n -> !numbers.contains(n)).count();
                                if (unseen > 0) {
                                    counts.lose("never_seen", unseen, unseenNote(next, unseen));
                                }
                            });
        }
        taken = next;
        next.state = FollowedFile.State.READING;
        numbers.clear();
        known.values().forEach(file -> FileNumber.of(file.path()).ifPresent(this::remember));
    }

    private void remember(FileNumber number) {
        numbers.add(number.value());
    }

    private static String unseenNote(FollowedFile next, long unseen) {
        return next.path() + ": " + unseen + " files before it came and went between two looks";
    }
}
