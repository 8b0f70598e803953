package io.weir.operators.window;

/**
 * The account of packets that are missing from the groups of a pane or window. Only the heaviest
 * groups stayed, or there was no more room. Owned by the owner of the tables.
 */
public final class LeftOutPackets {
    /**
     * The part of the account that others need to merge the groups with theirs.
     *
     * @param floor the most that the ranking figure of any group may lack
     * @param packets of groups that were taken out
     * @param unknown whether an unknown number of further packets was left out
     */
    public record Told(long floor, long packets, boolean unknown) {
        public static final Told NOTHING = new Told(0, 0, false);

        /** Returns the account without packets. Another holder of the same groups reports them. */
        public Told withoutPackets() {
            return packets == 0 ? this : new Told(floor, 0, unknown);
        }
    }

    /** The floors of the groups of IPv4 (or of both families) and of IPv6. */
    private final long[] floors = new long[2];

    private long packets;
    private long withoutRoom;
    private boolean unknown;

    /** Packets of groups that have no entry; not yet in the floors. */
    private long absent;

    /** Returns the most that the ranking figure of any group of a table may lack. */
    public long floor(int table) {
        return floors[table];
    }

    /** Returns the most that it may lack in any group. */
    public long most() {
        return Math.max(floors[0], floors[1]);
    }

    /** Returns the packets of groups that were taken out, and of no other. */
    public long packets() {
        return packets;
    }

    /** Returns the packets of groups that found no memory in a merge. */
    public long withoutRoom() {
        return withoutRoom;
    }

    /** Counts the packets of a group that finds no room in a merge. */
    public void addWithoutRoom(long packetsGone) {
        withoutRoom += packetsGone;
        unknown = true;
    }

    /**
     * Returns whether an unknown number of packets was left out because there was no room at all.
     */
    public boolean isUnknown() {
        return unknown;
    }

    /** Counts the lightest groups as taken out. */
    void add(int table, long rise, long packetsGone) {
        floors[table] += rise;
        packets += packetsGone;
    }

    public void addUnknown() {
        unknown = true;
    }

    /** Counts packets of groups that found no room, and never will in this pane. */
    void addAbsent(long packetsGone) {
        absent += packetsGone;
    }

    /** Counts packets that found no room; any group may lack them. */
    void addUntaken(long packetsGone) {
        floors[0] += packetsGone;
        floors[1] += packetsGone;
    }

    /** Returns whether groups may lack packets that found no room. */
    public boolean lacks() {
        return absent + most() > 0;
    }

    /**
     * Adds the packets of groups without an entry to the floors.
     *
     * @return the credit of the groups that have one
     */
    long settle() {
        long credit = absent;
        addUntaken(absent);
        absent = 0;
        return credit;
    }

    /** Sets the account of groups that came from another process. */
    public void set(Told told) {
        raise(told.floor());
        packets = told.packets();
        unknown = told.unknown();
    }

    /** Adds the account of groups that are merged with these. A group may lack the sum of both. */
    public void add(LeftOutPackets other) {
        add(0, other.floors[0], other.packets);
        add(1, other.floors[1], 0);
        withoutRoom += other.withoutRoom;
        unknown |= other.unknown;
    }

    /** Raises the floor, after all groups have got the difference as credit. */
    public void raise(long toFloor) {
        floors[0] = toFloor;
        floors[1] = toFloor;
    }

    void clear() {
        raise(0);
        packets = 0;
        withoutRoom = 0;
        unknown = false;
        absent = 0;
    }
}
