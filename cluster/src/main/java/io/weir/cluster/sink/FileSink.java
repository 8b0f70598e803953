package io.weir.cluster.sink;

import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.result.RowBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows in files of a folder, each query's own ({@link RolledFile}). A disk that is full, or a
 * folder that is gone, is an error at the row that finds it: what was written before stays. One
 * thread.
 */
public final class FileSink implements OutputSink {
    private final Path folder;
    private final FileOptions options;
    private final InstantSource clock;
    private final Stage rows;
    private final Map<String, RolledFile> files = new LinkedHashMap<>();

    /**
     * @param rows its page in the account, in rows
     * @throws WeirException UNWRITABLE_OUTPUT where the folder cannot be made
     */
    public FileSink(Path folder, FileOptions options, InstantSource clock, Stage rows) {
        this.folder = folder;
        this.options = options;
        this.clock = clock;
        this.rows = rows;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw unwritable(e);
        }
        if (!Files.isWritable(folder)) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT, folder + " may not be written", null);
        }
    }

    @Override
    public void rows(RowBatch batch) {
        rows.offered().add(batch.rows());
        try {
            RolledFile file = files.get(batch.query().name());
            if (file == null) {
                file = new RolledFile(folder, batch.query(), options, clock);
                files.put(batch.query().name(), file);
            }
            file.rows(batch);
            rows.processed().add(batch.rows());
        } catch (IOException e) {
            rows.lost("unwritable").add(batch.rows());
            throw unwritable(e);
        } catch (OutputClosed e) {
            rows.lost("unwritable").add(batch.rows());
            throw e;
        }
    }

    @Override
    public void end() {
        try {
            for (RolledFile file : files.values()) {
                file.finish();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Without {@link #end} the files stay parts: the rows did not come to their end. */
    @Override
    public void close() {
        try {
            for (RolledFile file : files.values()) {
                file.abandon();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private WeirException unwritable(IOException e) {
        return new WeirException(
                ErrorCode.UNWRITABLE_OUTPUT,
                "rows cannot be written to " + folder + ": " + e,
                "a file sink needs a folder with room in it");
    }
}
