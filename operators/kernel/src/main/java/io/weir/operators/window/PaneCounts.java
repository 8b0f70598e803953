package io.weir.operators.window;

/** Counts the packets, or rows, that a query's panes were offered, by outcome. The panes' owner. */
public final class PaneCounts {
    private long seen;
    private long late;
    private long future;
    private long full;
    private long inactive;

    void add(long packetsSeen, long packetsInactive, long packetsFull) {
        seen += packetsSeen;
        inactive += packetsInactive;
        full += packetsFull;
    }

    void addLate(long packets) {
        late += packets;
    }

    void addFuture(long packets) {
        future += packets;
    }

    /** Returns the packets that were counted in their panes, or filtered out on the way. */
    public long processed() {
        return seen - late - future - full - inactive;
    }

    /** Returns the packets that were left out because they or their window were too late. */
    public long late() {
        return late;
    }

    /** Returns the packets that were left out because their time stamps are from the future. */
    public long future() {
        return future;
    }

    /** Returns the packets that were lost because the state's bound was reached. */
    public long full() {
        return full;
    }

    /** Returns the packets outside the gate. */
    public long inactive() {
        return inactive;
    }
}
