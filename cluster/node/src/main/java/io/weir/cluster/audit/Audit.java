package io.weir.cluster.audit;

import java.util.List;

/** Records statements for good. Thread-safe. */
public interface Audit extends AutoCloseable {
    /** The number of entries that SHOW AUDIT shows. */
    int SHOWN = 1_000;

    /**
     * Returns when the entry is stored.
     *
     * @throws io.weir.operators.error.WeirException if that failed: then its statement must not
     *     begin
     */
    void write(AuditEntry entry);

    /**
     * Does the same for a statement that changes nothing and shows only this process's knowledge.
     * If the store does not answer, it returns soon. The entry is stored when the store answers
     * again.
     */
    default void writeSoon(AuditEntry entry) {
        write(entry);
    }

    /** Returns the latest entries, oldest first. */
    List<AuditEntry> last(int count);

    @Override
    void close();
}
