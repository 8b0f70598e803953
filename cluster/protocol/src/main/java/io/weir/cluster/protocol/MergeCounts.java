package io.weir.cluster.protocol;

import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.TopKAccount;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the outcome of messages. The merge's thread writes, any reads. */
public final class MergeCounts {
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final AtomicLong missing = new AtomicLong();
    private final AtomicLong unread = new AtomicLong();
    private volatile WeirException lastUnread;
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong lateWindows = new AtomicLong();
    private final AtomicLong latePackets = new AtomicLong();
    private final AtomicLong cutWindows = new AtomicLong();
    private final AtomicLong handedWindows = new AtomicLong();
    private final AtomicLong droppedWindows = new AtomicLong();
    private final AtomicLong sumsBeyond = new AtomicLong();
    private final AtomicLong forgotten = new AtomicLong();
    private final AtomicLong bindings = new AtomicLong();
    private final AtomicLong bindingsRefused = new AtomicLong();
    private final AtomicLong bindingRowsForgotten = new AtomicLong();
    private final AtomicLong keptPackets = new AtomicLong();
    private final AtomicLong withoutRoomPackets = new AtomicLong();
    private final AtomicLong timeouts = new AtomicLong();
    private final AtomicLong finalWindows = new AtomicLong();
    private final AtomicLong unmadeWindows = new AtomicLong();
    private volatile Unmade lastUnmade;
    private final AtomicLong replacedWindows = new AtomicLong();
    private final AtomicLong replacedPackets = new AtomicLong();
    private volatile String lastReplaced;
    private final AtomicLong forgottenWindows = new AtomicLong();
    private volatile String lastForgotten;
    private final AtomicLong kept = new AtomicLong();
    private final AtomicLong keptUnread = new AtomicLong();
    private volatile String lastUnreadable;

    /** A window without rows, with the reason. */
    public record Unmade(String query, WeirException why) {}

    /** Returns all messages that came. */
    public AtomicLong messages() {
        return messages;
    }

    /** Returns repeated messages, and those from a process that is over. They are ignored. */
    public AtomicLong duplicates() {
        return duplicates;
    }

    /** Returns messages that a source sent and that never came: gaps in its numbers. */
    public AtomicLong missing() {
        return missing;
    }

    /** Returns blocks that could not be read: another version, no blocks, or no memory for them. */
    public AtomicLong unread() {
        return unread;
    }

    /** Counts one more. */
    public void unread(WeirException why) {
        unread.incrementAndGet();
        lastUnread = why;
    }

    /** Returns the reason for the last one; null when there was none. */
    public WeirException lastUnread() {
        return lastUnread;
    }

    /** Returns messages of unknown queries. */
    public AtomicLong unknown() {
        return unknown;
    }

    /** Returns windows of one source that came after their rows were made. */
    public AtomicLong lateWindows() {
        return lateWindows;
    }

    /** Returns the packets in late windows. */
    public AtomicLong latePackets() {
        return latePackets;
    }

    /** Returns windows that a worker had begun to send when its process ended. */
    public AtomicLong cutWindows() {
        return cutWindows;
    }

    /** Returns windows of one source that are in finished windows. */
    public AtomicLong handedWindows() {
        return handedWindows;
    }

    /** Returns windows of one source that waited when their query was dropped. */
    public AtomicLong droppedWindows() {
        return droppedWindows;
    }

    /** Returns packets of groups of which only the heaviest stay. */
    public AtomicLong keptPackets() {
        return keptPackets;
    }

    /** Returns packets of such groups that found no memory in the merge. */
    public AtomicLong withoutRoomPackets() {
        return withoutRoomPackets;
    }

    /** Returns sums of rows that have left 64 bits, and are NULL. */
    public AtomicLong sumsBeyond() {
        return sumsBeyond;
    }

    /** Returns partitions that OVER has forgotten for want of memory. */
    public AtomicLong forgotten() {
        return forgotten;
    }

    /** Returns activations of queries that use values of rows that are tested here. */
    public AtomicLong bindings() {
        return bindings;
    }

    /** Returns rows that would have begun one, and found the set full. */
    public AtomicLong bindingsRefused() {
        return bindingsRefused;
    }

    /** Returns keys whose latest rows were forgotten, of a WHEN over several queries. */
    public AtomicLong bindingRowsForgotten() {
        return bindingRowsForgotten;
    }

    /** Counts a window of such groups. */
    void kept(TopKAccount kept) {
        keptPackets.addAndGet(kept.packetsKept());
        withoutRoomPackets.addAndGet(kept.packetsWithoutRoom());
    }

    /** Returns how often a source was given up. */
    public AtomicLong timeouts() {
        return timeouts;
    }

    /**
     * Returns finished windows. They have rows, except the {@link #unmadeWindows}. Queries over
     * rows count only in the latter.
     */
    public AtomicLong finalWindows() {
        return finalWindows;
    }

    /** Returns windows for which there was no memory to make rows, or to merge their groups. */
    public AtomicLong unmadeWindows() {
        return unmadeWindows;
    }

    /** Counts one more. */
    public void unmade(String query, WeirException why) {
        unmadeWindows.incrementAndGet();
        lastUnmade = new Unmade(query, why);
    }

    /** Returns the last of them; null when there was none. */
    public Unmade lastUnmade() {
        return lastUnmade;
    }

    /**
     * Returns windows of one source for versions that are gone, while another version of the query
     * exists.
     */
    public AtomicLong replacedWindows() {
        return replacedWindows;
    }

    /** Returns the packets in them, which are lost. */
    public AtomicLong replacedPackets() {
        return replacedPackets;
    }

    /** Counts one more. */
    public void replaced(String query, long packets) {
        replacedWindows.incrementAndGet();
        replacedPackets.addAndGet(packets);
        lastReplaced = query;
    }

    /** Returns the query of the last of them; null when there was none. */
    public String lastReplaced() {
        return lastReplaced;
    }

    /**
     * Returns how often a query over rows has begun without all rows that it had read before a
     * start. Some of its open windows then lack rows.
     */
    public AtomicLong forgottenWindows() {
        return forgottenWindows;
    }

    /** Counts one more. */
    public void forgotten(String query) {
        forgottenWindows.incrementAndGet();
        lastForgotten = query;
    }

    /** Returns the query of the last of them; null when there was none. */
    public String lastForgotten() {
        return lastForgotten;
    }

    /** Returns records that a start has found in its store and read. */
    public AtomicLong kept() {
        return kept;
    }

    /** Returns records that it could not read. */
    public AtomicLong keptUnread() {
        return keptUnread;
    }

    /** Counts one more. */
    public void keptUnread(String about) {
        keptUnread.incrementAndGet();
        lastUnreadable = about;
    }

    /** Returns the description of the last of them; null when there was none. */
    public String lastUnreadable() {
        return lastUnreadable;
    }

    @Override
    public String toString() {
        return "parcels="
                + messages
                + " duplicates="
                + duplicates
                + " missing="
                + missing
                + " unread="
                + unread
                + " unknown="
                + unknown
                + " late_windows="
                + lateWindows
                + " late_packets="
                + latePackets
                + " cut_windows="
                + cutWindows
                + " timeouts="
                + timeouts
                + " final_windows="
                + finalWindows
                + " unmade_windows="
                + unmadeWindows
                + " replaced_windows="
                + replacedWindows
                + " replaced_packets="
                + replacedPackets
                + " forgotten_windows="
                + forgottenWindows
                + " kept_unread="
                + keptUnread;
    }
}
