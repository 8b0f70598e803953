package io.weir.cluster.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Up to which event time all rows of a worker are in Kafka: passes of its results are noted with
 * how far the outbox was by then, and have come when so much of it was sent. Any thread.
 */
final class RowsPassed {
    /** Beyond that, the latest takes the place of the one before: it is only told later. */
    private static final int MOST = 64;

    private final Deque<Mark> marks = new ArrayDeque<>();
    private OptionalLong passedNs = OptionalLong.empty();

    /**
     * @param next number of the first entry that was not there yet
     */
    private record Mark(long timeNs, long next) {}

    /** All rows of windows that end by then are before this entry of the outbox. */
    synchronized void passed(long timeNs, long next) {
        if (marks.size() == MOST) {
            marks.removeLast();
        }
        marks.addLast(new Mark(timeNs, next));
    }

    /**
     * @param sent the first entry that was not sent
     * @return the time; empty before the first
     */
    synchronized OptionalLong sent(long sent) {
        while (!marks.isEmpty() && marks.getFirst().next() <= sent) {
            passedNs = OptionalLong.of(marks.removeFirst().timeNs());
        }
        return passedNs;
    }
}
