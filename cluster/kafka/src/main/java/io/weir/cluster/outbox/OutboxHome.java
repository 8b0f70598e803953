package io.weir.cluster.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.cluster.disk.DiskFault;
import io.weir.cluster.disk.OwnFiles;
import io.weir.cluster.disk.WholeFile;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The directory of an outbox: one process' at a time. If its disk takes nothing when the process
 * begins, existing files are read. Missing ones are made as soon as they can be. One thread at a
 * time.
 */
final class OutboxHome implements AutoCloseable {
    private static final String ID_FILE = "outbox.id";
    private static final String LOCK_FILE = "outbox.lock";

    private static final ByteBuffer MARK = ByteBuffer.allocateDirect(1);

    private final Path directory;
    private final String id;
    private FileChannel lock;
    private boolean holds;
    private boolean hasId;

    private static final class Taken extends IOException {
        private static final long serialVersionUID = 1;

        Taken() {
            super("another process has it");
        }
    }

    /** Reads what is there. */
    OutboxHome(Path directory) {
        this.directory = directory;
        try {
            this.id = findId();
        } catch (IOException e) {
            throw impossible(directory, e);
        }
    }

    static WeirException impossible(Path directory, IOException why) {
        return new WeirException(
                ErrorCode.UNWRITABLE_OUTPUT, "no outbox can be made in " + directory + ": " + why);
    }

    private String findId() throws IOException {
        Path file = directory.resolve(ID_FILE);
        String own = Files.exists(file) ? Files.readString(file).strip() : "";
        hasId = !own.isEmpty();
        return hasId ? own : UUID.randomUUID().toString();
    }

    /** The name of these files. A new directory is another outbox, whose numbers begin at 0. */
    String id() {
        return id;
    }

    /**
     * Makes what is missing, so that entries can be written. If it throws, it may be called again.
     */
    void make() throws IOException {
        makeDirectory();
        if (!holds) {
            close();
            take(LOCK_FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            holds = true;
        }
        if (!hasId) {
            WholeFile.write(directory.resolve(ID_FILE), id.getBytes(UTF_8));
            hasId = true;
        }
    }

    /** Its rows are for who may read them in Kafka. */
    private void makeDirectory() throws IOException {
        try {
            OwnFiles.folder(directory, ID_FILE);
        } catch (IOException e) {
            if (!Files.isDirectory(directory)) {
                throw e; // else its rights stay as they are
            }
        }
    }

    /**
     * Makes as much of it as the disk lets, when the process begins.
     *
     * @return why not all of it is there
     * @throws WeirException when another process has it, or that is not the disk's doing
     */
    Optional<IOException> tryToMake() {
        try {
            make();
            return Optional.empty();
        } catch (Taken e) {
            throw taken();
        } catch (IOException e) {
            if (DiskFault.of(e, directory) == DiskFault.FAILED) {
                close();
                throw impossible(directory, e);
            }
            look();
            return Optional.of(e);
        }
    }

    /** Looks without writing whether another process has it. */
    private void look() {
        try {
            if (lock == null && Files.exists(directory.resolve(LOCK_FILE))) {
                take(LOCK_FILE, StandardOpenOption.READ);
            }
        } catch (Taken e) {
            throw taken();
        } catch (IOException e) {
            return; // it is known once it can be written
        }
    }

    private WeirException taken() {
        return new WeirException(
                ErrorCode.UNWRITABLE_OUTPUT,
                "another process has the outbox in " + directory,
                "end that, or name another directory with --outbox");
    }

    private void take(String name, OpenOption... how) throws IOException {
        lock = FileChannel.open(directory.resolve(name), how);
        boolean isShared = List.of(how).contains(StandardOpenOption.READ);
        FileLock taken = null;
        try {
            taken = lock.tryLock(0, Long.MAX_VALUE, isShared);
        } catch (OverlappingFileLockException e) {
            taken = null; // by this very process
        }
        if (taken == null) {
            close();
            throw new Taken();
        }
    }

    /**
     * Writes a byte that means nothing. It comes before each store to a mapped page. A thread that
     * waits for a disk in a call blocks nobody. A thread that waits in a page fault blocks all
     * others at the JVM's next safepoint.
     */
    void awaitDisk() throws IOException {
        lock.write(MARK.duplicate(), 0);
    }

    /** Others may have it. Idempotent. */
    @Override
    public void close() {
        holds = false;
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                lock = null;
            }
        }
    }
}
