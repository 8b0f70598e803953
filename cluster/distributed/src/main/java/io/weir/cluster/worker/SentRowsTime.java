package io.weir.cluster.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Finds the event time up to which all rows of a worker are in Kafka. Each pass of the results is
 * noted with the outbox's last entry. The time has come when that entry was sent. Any thread.
 */
final class SentRowsTime {
    /**
     * Beyond this number the latest mark replaces the one before. Its time is then only reported
     * later.
     */
    private static final int MOST = 64;

    private final Deque<Mark> marks = new ArrayDeque<>();
    private OptionalLong passedNs = OptionalLong.empty();

    /**
     * @param next number of the first entry that was not there yet
     */
    private record Mark(long timeNs, long next) {}

    /** Notes that all rows of windows that end by then are before this entry of the outbox. */
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
