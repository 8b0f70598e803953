package io.weir.operators.window;

/**
 * What was left out of the groups of a pane, or a window: since only the heaviest stay, or since
 * there was no room for more. Owned by who owns the tables.
 */
public final class LeftOut {
    /**
     * As much of it as others must know to merge the groups with theirs.
     *
     * @param floor the most that the figure by which groups are ranked may lack in any
     * @param packets of groups that were taken out
     * @param unknown whether more was left out
     */
    public record Told(long floor, long packets, boolean unknown) {
        public static final Told NOTHING = new Told(0, 0, false);

        /** For who shares the groups with another, who is told of the packets. */
        public Told withoutPackets() {
            return packets == 0 ? this : new Told(floor, 0, unknown);
        }
    }

    /** Of groups of IPv4, or either, and of IPv6. */
    private final long[] floors = new long[2];

    private long packets;
    private long withoutRoom;
    private boolean unknown;

    /** Packets of groups that have no entry; not yet in the floors. */
    private long absent;

    /** The most that the figure by which groups are ranked may lack in any of a table's. */
    public long floor(int table) {
        return floors[table];
    }

    /** The most that it may lack in any. */
    public long most() {
        return Math.max(floors[0], floors[1]);
    }

    /** Packets of groups that were taken out, and of no other. */
    public long packets() {
        return packets;
    }

    /** Packets of groups that there was no memory for when groups were put together. */
    public long withoutRoom() {
        return withoutRoom;
    }

    /** A group finds no room. */
    public void addWithoutRoom(long packetsGone) {
        withoutRoom += packetsGone;
        unknown = true;
    }

    /** Whether more was left out, of which nobody knows how much: there was no room at all. */
    public boolean isUnknown() {
        return unknown;
    }

    /** The lightest groups went. */
    void add(int table, long rise, long packetsGone) {
        floors[table] += rise;
        packets += packetsGone;
    }

    public void addUnknown() {
        unknown = true;
    }

    /** Packets of groups that found no room, and never will in this pane. */
    void addAbsent(long packetsGone) {
        absent += packetsGone;
    }

    /** Packets found no room, and any group may lack them. */
    void addUntaken(long packetsGone) {
        floors[0] += packetsGone;
        floors[1] += packetsGone;
    }

    /** Whether groups may lack packets that found no room. */
    public boolean lacks() {
        return absent + most() > 0;
    }

    /**
     * Has the packets of groups without an entry count in the floors.
     *
     * @return the credit of the groups that have one
     */
    long settle() {
        long credit = absent;
        addUntaken(absent);
        absent = 0;
        return credit;
    }

    /** Of groups that came from elsewhere. */
    public void set(Told told) {
        raise(told.floor());
        packets = told.packets();
        unknown = told.unknown();
    }

    /** Of groups that are merged with these: what a group lacks here and there adds up. */
    public void add(LeftOut other) {
        add(0, other.floors[0], other.packets);
        add(1, other.floors[1], 0);
        withoutRoom += other.withoutRoom;
        unknown |= other.unknown;
    }

    /** Another floor, for groups of which all have got the difference as credit. */
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
