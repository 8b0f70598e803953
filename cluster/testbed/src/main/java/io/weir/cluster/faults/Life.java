package io.weir.cluster.faults;

import io.weir.cluster.counts.PacketLedger;
import io.weir.cluster.demo.Processes;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A worker's process, from its begin to its end: its replay, and how much of that counts. One
 * thread.
 */
final class Life {
    /** The way in which it ended. */
    enum End {
        /** It has not ended. */
        NONE,
        /** It was stopped: all packets that it had read are in rows, or reported as lost. */
        STOPPED,
        /** Its open windows are lost. */
        KILLED,
        /** Another took its place: rows that it had not sent by then are lost. */
        REPLACED
    }

    private static final String BEGINS = "packets begin at ";
    private static final long POLL_MS = 20;
    private static final long SECOND_NS = 1_000_000_000L;

    private final String node;
    private final Path ledger;
    private final long earlier;
    private long beginNs = Long.MAX_VALUE;
    private final Processes.Started process;
    private End end = End.NONE;
    private long limit = Long.MAX_VALUE;
    private long rowsLost;
    private long endNs = Long.MAX_VALUE;

    /**
     * @param outbox that no other process has by then
     */
    Life(String node, Path outbox, Processes.Started process) {
        this.node = node;
        ledger = PacketLedger.in(outbox);
        earlier = PacketLedger.packets(ledger).orElse(0);
        this.process = process;
    }

    String node() {
        return node;
    }

    /** Waits until it reads packets. */
    void await() throws InterruptedException {
        began(process.await(BEGINS));
    }

    /** Waits likewise, unless it ends before. Returns whether it reads packets. */
    boolean comes() throws InterruptedException {
        while (!beganIfSaid() && process.process().isAlive()) {
            Thread.sleep(POLL_MS);
        }
        return beganIfSaid();
    }

    /** Returns whether it has reported that it reads packets, or had before it ended. */
    boolean beganIfSaid() {
        process.lines().stream().filter(line -> line.contains(BEGINS)).forEach(this::began);
        return beginNs != Long.MAX_VALUE;
    }

    private void began(String line) {
        Instant begin = Instant.parse(line.substring(line.indexOf(BEGINS) + BEGINS.length()));
        began(begin.getEpochSecond() * SECOND_NS + begin.getNano());
    }

    void began(long atNs) {
        beginNs = atNs;
    }

    /** Returns the time of its first frame; MAX_VALUE before it is known. */
    long beginNs() {
        return beginNs;
    }

    Processes.Started process() {
        return process;
    }

    End end() {
        return end;
    }

    /** Returns the index after the last packet that it can have read. */
    long limit() {
        return limit;
    }

    /**
     * Returns how many packets it has read by now; empty for a release that does not store that.
     */
    OptionalLong read() {
        OptionalLong all = PacketLedger.packets(ledger);
        return all.isPresent() ? OptionalLong.of(all.getAsLong() - earlier) : all;
    }

    /** Returns whether it knows what the other has read. */
    boolean isAfter(Life before) {
        return ledger.equals(before.ledger);
    }

    /** Returns when it ended, in packets' time. */
    long endNs() {
        return endNs;
    }

    /** Returns the rows that it has reported as lost. */
    long rowsLost() {
        return rowsLost;
    }

    void rowsLost(long told) {
        rowsLost = told;
    }

    void ended(End how, long atNs, long packetLimit) {
        end = how;
        endNs = atNs;
        limit = packetLimit;
    }
}
