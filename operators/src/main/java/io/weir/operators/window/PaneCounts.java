package io.weir.operators.window;

/**
 * Packets, or rows, that a query's panes were offered, by what became of them. The panes' owner.
 */
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

    /** Counted in their panes, or filtered out on the way. */
    public long processed() {
        return seen - late - future - full - inactive;
    }

    /** Left out because they or their window were too late. */
    public long late() {
        return late;
    }

    /** Left out because their time stamps are from the future. */
    public long future() {
        return future;
    }

    /** Lost because the state's bound was reached. */
    public long full() {
        return full;
    }

    /** Outside the gate. */
    public long inactive() {
        return inactive;
    }
}
