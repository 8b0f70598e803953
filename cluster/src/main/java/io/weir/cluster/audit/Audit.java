package io.weir.cluster.audit;

import java.util.List;

/** Where statements are noted, for good. Thread-safe. */
public interface Audit extends AutoCloseable {
    /** How many entries SHOW AUDIT tells of. */
    int SHOWN = 1_000;

    /**
     * Returns when the entry is kept.
     *
     * @throws io.weir.operators.error.WeirException when it could not be: then what it tells of
     *     must not begin
     */
    void write(AuditEntry entry);

    /**
     * The same of a statement that changes nothing and gives only what this process knows. Where
     * the place of notes does not answer it returns soon; the note is kept when it answers again.
     */
    default void writeSoon(AuditEntry entry) {
        write(entry);
    }

    /** The latest, oldest first. */
    List<AuditEntry> last(int count);

    @Override
    void close();
}
