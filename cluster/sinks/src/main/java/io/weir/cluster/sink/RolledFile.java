package io.weir.cluster.sink;

import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes a query's rows in files {@code NAME-00000001.json}, {@code NAME-00000002.json}, … The open
 * file ends in {@code .part}, so all other files are whole. A part that a crash left keeps that
 * name, unless rows come again after it ({@link FilePosition}). Numbers continue from the existing
 * files. One thread.
 */
final class RolledFile {

    private final Path folder;
    private final Query query;
    private final FileOptions options;
    private final InstantSource clock;
    private final String stem;
    private final Pattern named;
    private final Optional<FilePosition> position;
    private long number;
    private Path part;
    private Counted stream;
    private TextOut text;
    private OutputSink open;
    private long dueMs;

    /**
     * @param position stores the position of rows; then a file ends only at a stored position
     */
    RolledFile(
            Path folder,
            Query query,
            FileOptions options,
            InstantSource clock,
            Optional<FilePosition> position)
            throws IOException {
        this.position = position;
        this.folder = folder;
        this.query = query;
        this.options = options;
        this.clock = clock;
        stem = FileNames.stem(query.name());
        String ending = "." + options.format().name().toLowerCase();
        named =
                Pattern.compile(
                        Pattern.quote(stem) + "(\\d{8,18})" + Pattern.quote(ending) + "(\\.part)?");
        try (Stream<Path> files = Files.list(folder)) {
            number = files.mapToLong(this::numberOf).max().orElse(0);
        }
    }

    /** Makes the open file of an earlier process whole, before the first rows. */
    void recovered() throws IOException {
        if (position.isPresent()) {
            position.get().recover(this::file);
        }
    }

    /** Returns the whole file of this number. */
    private Path file(long numbered) {
        String ending = options.format().name().toLowerCase();
        return folder.resolve(String.format("%s%08d.%s", stem, numbered, ending));
    }

    /** Returns the number in a file's name; 0 for other files. */
    private long numberOf(Path file) {
        Matcher matcher = named.matcher(file.getFileName().toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** Returns whether it has the rows of this version of the query. */
    boolean isOf(Query version) {
        return query.equals(version);
    }

    void rows(RowBatch batch) throws IOException {
        if (open != null && position.isEmpty() && isDue()) {
            finish();
        }
        if (open == null) {
            begin();
        }
        open.rows(batch);
        if (position.isEmpty() && stream.bytes >= options.mostBytes()) {
            finish();
        }
    }

    /** Stores the position of the rows before that one, before they are acknowledged. */
    void reached(long next) throws IOException {
        if (open == null) {
            return;
        }
        text.flush();
        position.orElseThrow().write(next, number, stream.bytes);
        if (stream.bytes >= options.mostBytes() || isDue()) {
            finish();
        }
    }

    private boolean isDue() {
        return clock.millis() >= dueMs;
    }

    private void begin() throws IOException {
        number++;
        part = FileNames.part(file(number));
        stream = new Counted(new FileOutputStream(part.toFile()));
        text = new TextOut(stream);
        open = options.format().sink(text, List.of(query));
        dueMs = clock.millis() + options.longest().toMillis();
    }

    /** Makes the open file a whole one. */
    void finish() throws IOException {
        if (open == null) {
            return;
        }
        open.end();
        open.close();
        open = null;
        stream.close();
        Files.move(part, file(number), StandardCopyOption.ATOMIC_MOVE);
        if (options.keep() > 0) {
            forgetOldest();
        }
    }

    private void forgetOldest() throws IOException {
        List<Path> old;
        try (Stream<Path> files = Files.list(folder)) {
            old =
                    files.filter(file -> numberOf(file) > 0)
                            .filter(file -> numberOf(file) <= number - options.keep())
                            .filter(file -> !file.toString().endsWith(FileNames.PART))
                            .toList();
        }
        for (Path file : old) {
            Files.deleteIfExists(file);
        }
    }

    /** Leaves the open file a part. */
    void abandon() throws IOException {
        if (open != null) {
            OutputSink last = open;
            open = null;
            try {
                last.close();
            } finally {
                stream.close();
            }
        }
    }

    private static final class Counted extends FilterOutputStream {
        private long bytes;

        Counted(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            bytes++;
        }

        @Override
        public void write(byte[] buffer, int from, int count) throws IOException {
            out.write(buffer, from, count);
            bytes += count;
        }
    }
}
