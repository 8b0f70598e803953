package io.weir.cluster.sink;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of a query's numbered rows in its files, stored beside them in {@code
 * NAME-position}. It is written whenever rows have been, before they are acknowledged. After a
 * crash the open file is cut at the stored length, and the later rows come again. One thread.
 *
 * <p>It protects against a killed process, not against a machine that loses power: nothing is
 * forced to disk.
 */
final class FilePosition {
    private static final Pattern FORM = Pattern.compile("1 (\\d{1,19}) (\\d{1,18}) (\\d{1,19})\n");
    private static final Told NOTHING = new Told(0, 0, 0);

    private final Path file;

    /**
     * @param next number of the first row that is in no file
     * @param number of the file that was written
     * @param bytes its length then
     */
    private record Told(long next, long number, long bytes) {}

    FilePosition(Path folder, String query) {
        file = folder.resolve(FileNames.stem(query) + "position");
    }

    /** Returns the number of the first row that is in no file; 0 if nothing is known. */
    long next() throws IOException {
        return told().next();
    }

    private Told told() throws IOException {
        if (!Files.exists(file)) {
            return NOTHING;
        }
        Matcher matcher = FORM.matcher(Files.readString(file));
        if (!matcher.matches()) {
            throw new IOException(
                    file + " has a format of another version: remove it, or its rows");
        }
        return new Told(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)));
    }

    void write(long next, long number, long bytes) throws IOException {
        Path young = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(young, "1 " + next + " " + number + " " + bytes + "\n");
        Files.move(young, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Restores the files after a process that was killed. The last part becomes a whole file of the
     * stored length. A part without a stored length stays one.
     *
     * @param whole the file of a number
     */
    void recover(LongFunction<Path> whole) throws IOException {
        Told told = told();
        Path part = FileNames.part(whole.apply(told.number()));
        if (Files.exists(part)) {
            try (FileChannel open = FileChannel.open(part, StandardOpenOption.WRITE)) {
                open.truncate(told.bytes());
            }
            Files.move(part, whole.apply(told.number()), StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
