package io.weir.operators.merge;

import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.Kept;
import java.util.concurrent.atomic.AtomicLong;

/** What became of parcels. Written by the merge's thread, read by any. */
public final class MergeCounts {
    private final AtomicLong parcels = new AtomicLong();
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
    private volatile String lastKeptUnread;

    /** A window without rows, and why. */
    public record Unmade(String query, WeirException why) {}

    /** All that came. */
    public AtomicLong parcels() {
        return parcels;
    }

    /** Those that came again, or from a life of a worker that is over: ignored. */
    public AtomicLong duplicates() {
        return duplicates;
    }

    /** Those that a source sent and that never came: gaps in its numbers. */
    public AtomicLong missing() {
        return missing;
    }

    /** Blocks that cannot be read: of another version, no blocks, or no memory for them. */
    public AtomicLong unread() {
        return unread;
    }

    /** One more. */
    public void unread(WeirException why) {
        unread.incrementAndGet();
        lastUnread = why;
    }

    /** Why the last one could not; null when there was none. */
    public WeirException lastUnread() {
        return lastUnread;
    }

    /** Those of queries that are not known here. */
    public AtomicLong unknown() {
        return unknown;
    }

    /** Windows of one source that came after their rows were made. */
    public AtomicLong lateWindows() {
        return lateWindows;
    }

    /** The packets in them. */
    public AtomicLong latePackets() {
        return latePackets;
    }

    /** Windows that a worker had begun to send when its life ended. */
    public AtomicLong cutWindows() {
        return cutWindows;
    }

    /** Windows of one source that are in those that are made. */
    public AtomicLong handedWindows() {
        return handedWindows;
    }

    /** Windows of one source that waited when their query was dropped. */
    public AtomicLong droppedWindows() {
        return droppedWindows;
    }

    /** Packets of groups of which only the heaviest stay. */
    public AtomicLong keptPackets() {
        return keptPackets;
    }

    /** Packets of such groups that there was no memory for when they were put together. */
    public AtomicLong withoutRoomPackets() {
        return withoutRoomPackets;
    }

    /** Sums of rows that have left 64 bits, and are NULL. */
    public AtomicLong sumsBeyond() {
        return sumsBeyond;
    }

    /** A window of such groups. */
    void kept(Kept kept) {
        keptPackets.addAndGet(kept.packetsKept());
        withoutRoomPackets.addAndGet(kept.packetsWithoutRoom());
    }

    /** How often a source was no longer waited for. */
    public AtomicLong timeouts() {
        return timeouts;
    }

    /**
     * Windows that are made: of which rows were made, but for {@link #unmadeWindows}. Of queries
     * over rows only the latter are counted.
     */
    public AtomicLong finalWindows() {
        return finalWindows;
    }

    /** Windows of which there was no memory to make rows, or to put their groups together. */
    public AtomicLong unmadeWindows() {
        return unmadeWindows;
    }

    /** One more. */
    public void unmade(String query, WeirException why) {
        unmadeWindows.incrementAndGet();
        lastUnmade = new Unmade(query, why);
    }

    /** The last of them; null when there was none. */
    public Unmade lastUnmade() {
        return lastUnmade;
    }

    /** Windows of one source of versions that are here no more, while another of the query is. */
    public AtomicLong replacedWindows() {
        return replacedWindows;
    }

    /** The packets in them, which are lost. */
    public AtomicLong replacedPackets() {
        return replacedPackets;
    }

    /** One more. */
    public void replaced(String query, long packets) {
        replacedWindows.incrementAndGet();
        replacedPackets.addAndGet(packets);
        lastReplaced = query;
    }

    /** The query of the last of them; null when there was none. */
    public String lastReplaced() {
        return lastReplaced;
    }

    /**
     * How often a query over rows has begun without all rows that it had read before a start: its
     * windows that were open then lack some.
     */
    public AtomicLong forgottenWindows() {
        return forgottenWindows;
    }

    /** One more. */
    public void forgotten(String query) {
        forgottenWindows.incrementAndGet();
        lastForgotten = query;
    }

    /** The query of the last of them; null when there was none. */
    public String lastForgotten() {
        return lastForgotten;
    }

    /** Records that a start has found kept, and taken in. */
    public AtomicLong kept() {
        return kept;
    }

    /** Those that it could not. */
    public AtomicLong keptUnread() {
        return keptUnread;
    }

    /** One more. */
    public void keptUnread(String about) {
        keptUnread.incrementAndGet();
        lastKeptUnread = about;
    }

    /** What the last of them was; null when there was none. */
    public String lastKeptUnread() {
        return lastKeptUnread;
    }

    @Override
    public String toString() {
        return "parcels="
                + parcels
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
