package io.weir.cluster.audit;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Writes entries as lines of a file. Each is on disk before its statement begins. */
public final class AuditFile implements Audit {
    private static final FileAttribute<?> OWNERS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final FileChannel out;

    /** Opens the file to append. Throws UNWRITABLE_OUTPUT. */
    public AuditFile(Path file) {
        this.file = file;
        try {
            out =
                    FileChannel.open(
                            file,
                            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                            OWNERS);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static WeirException unwritable(Path file, IOException e) {
        return new WeirException(
                ErrorCode.UNWRITABLE_OUTPUT,
                "the audit " + file + " cannot be written: " + reason(file, e),
                "no statement runs without a note");
    }

    /** For a missing directory Java only says the file's name. */
    private static String reason(Path file, IOException e) {
        return e instanceof NoSuchFileException
                ? "there is no directory " + file.toAbsolutePath().getParent()
                : e.getMessage();
    }

    @Override
    public synchronized void write(AuditEntry entry) {
        ByteBuffer line =
                StandardCharsets.UTF_8.encode(
                        new String(entry.json(), StandardCharsets.UTF_8) + "\n");
        try {
            while (line.hasRemaining()) {
                out.write(line);
            }
            out.force(false);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    @Override
    public List<AuditEntry> last(int count) {
        Deque<AuditEntry> last = new ArrayDeque<>();
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(
                    line ->
                            AuditEntry.parse(line.getBytes(StandardCharsets.UTF_8))
                                    .ifPresent(
                                            entry -> {
                                                last.add(entry);
                                                if (last.size() > count) {
                                                    last.remove();
                                                }
                                            }));
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNREADABLE_INPUT, "the audit " + file + " cannot be read");
        }
        return List.copyOf(last);
    }

    @Override
    public synchronized void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }
}
