package io.weir.operators.window;

/**
 * What was left out of the groups of a pane, or a window, since only the heaviest stay. Owned by
 * who owns the tables.
 */
public final class LeftOut {
    private long floor;
    private long packets;
    private boolean unknown;

    /** The most that the figure by which groups are ranked may lack in any of them. */
    public long floor() {
        return floor;
    }

    /** Packets of groups that were taken out, and of no other. */
    public long packets() {
        return packets;
    }

    /** Whether more was left out, of which nobody knows how much: there was no room at all. */
    public boolean isUnknown() {
        return unknown;
    }

    /** The lightest groups went. */
    void add(long rise, long packetsGone) {
        floor += rise;
        packets += packetsGone;
    }

    public void addUnknown() {
        unknown = true;
    }

    /** Of groups that are merged with these: what a group lacks here and there adds up. */
    public void add(LeftOut other) {
        add(other.floor, other.packets);
        unknown |= other.unknown;
    }

    /** Another floor, for groups of which all have got the difference as credit. */
    public void raise(long toFloor) {
        floor = toFloor;
    }

    void clear() {
        floor = 0;
        packets = 0;
        unknown = false;
    }
}
