package io.weir.cluster.catalog;

import java.util.OptionalLong;

/** What is to be noted of a change, for a catalogue that keeps both or neither. */
@FunctionalInterface
public interface Noting {
    /**
     * The note that the change was made; called again where it had to be begun again.
     *
     * @param version that the change has given to its query, where there is one
     */
    Note of(OptionalLong version);

    /**
     * @param user who asked
     * @param text for the audit's readers
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record Note(String user, long timeMs, byte[] text) {}
}
