package io.weir.cluster.sink;

import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.rows.RowBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes rows to files of a folder, each query's own ({@link RolledFile}). A full disk, or a
 * missing folder, is an error at the row that finds it. Earlier rows stay. One thread.
 */
public final class FileSink implements OutputSink {
    private final Path folder;
    private final FileOptions options;
    private final InstantSource clock;
    private final Stage rows;
    private final boolean numbered;
    private final Set<String> begun = new HashSet<>();
    private final Map<String, RolledFile> files = new LinkedHashMap<>();

    /**
     * @param rows its page in the account, in rows
     * @param numbered whether it is told the position of rows ({@link #reached}). It then stores
     *     the position beside its files, and each row is in them once however its process ends
     * @throws WeirException UNWRITABLE_OUTPUT if the folder cannot be made
     */
    public FileSink(
            Path folder, FileOptions options, InstantSource clock, Stage rows, boolean numbered) {
        this.numbered = numbered;
        this.folder = folder;
        this.options = options;
        this.clock = clock;
        this.rows = rows;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT,
                    folder + " is no folder, and none can be made",
                    "a file sink needs a folder with room in it");
        }
        if (!Files.isWritable(folder)) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT, folder + " may not be written", null);
        }
    }

    @Override
    public synchronized void rows(RowBatch batch) {
        String name = batch.query().name();
        try {
            RolledFile file = files.get(name);
            if (file != null && !file.isOf(batch.query())) {
                file.finish();
                file = null;
            }
            if (file == null) {
                file = new RolledFile(folder, batch.query(), options, clock, position(name));
                if (begun.add(name)) {
                    file.recovered();
                }
                files.put(name, file);
            }
            file.rows(batch);
            count(rows.processed(), batch);
        } catch (IOException | OutputClosed e) {
            count(rows.lost("unwritable"), batch);
            forget(name, e);
            throw unwritable(e);
        }
    }

    /** Rows are counted only when their outcome is known, because a folder may hang. */
    private void count(Counter outcome, RowBatch batch) {
        rows.offered().add(batch.rows());
        outcome.add(batch.rows());
    }

    private Optional<FilePosition> position(String query) {
        return numbered ? Optional.of(new FilePosition(folder, query)) : Optional.empty();
    }

    @Override
    public long next(String query) {
        try {
            return numbered ? new FilePosition(folder, query).next() : 0;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override
    public synchronized void reached(String query, long next) {
        RolledFile file = files.get(query);
        try {
            if (file != null) {
                file.reached(next);
            }
        } catch (IOException | OutputClosed e) {
            forget(query, e);
            throw unwritable(e);
        }
    }

    private void forget(String name, Exception why) {
        RolledFile failed = files.remove(name);
        try {
            if (failed != null) {
                failed.abandon();
            }
        } catch (IOException | OutputClosed again) {
            why.addSuppressed(again);
        }
    }

    @Override
    public synchronized void dropped(String query) {
        RolledFile file = files.remove(query);
        try {
            if (file != null) {
                file.finish();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override
    public synchronized void end() {
        try {
            for (RolledFile file : files.values()) {
                file.finish();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Without {@link #end} the files stay parts, because the rows were not complete. */
    @Override
    public synchronized void close() {
        try {
            for (RolledFile file : files.values()) {
                file.abandon();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private WeirException unwritable(Exception e) {
        return new WeirException(
                ErrorCode.UNWRITABLE_OUTPUT,
                "rows cannot be written to " + folder + ": " + e,
                "a file sink needs a folder with room in it");
    }
}
