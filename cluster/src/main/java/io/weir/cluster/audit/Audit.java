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

    /** The latest, oldest first. */
    List<AuditEntry> last(int count);

    @Override
    void close();
}
