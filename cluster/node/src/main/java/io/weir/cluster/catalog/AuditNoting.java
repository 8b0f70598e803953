package io.weir.cluster.catalog;

import java.util.OptionalLong;

/** Makes the audit note of a change. The catalogue writes both or neither. */
@FunctionalInterface
public interface AuditNoting {
    /**
     * Returns the note that the change was made. It is called again if the change had to begin
     * again.
     *
     * @param version that the change has given to its query, if there is one
     */
    Note of(OptionalLong version);

    /**
     * @param user the user who asked
     * @param text for the audit's readers
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Note(String user, long timeMs, byte[] text) {}
}
