package io.weir.cluster.outbox;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.OptionalInt;

/**
 * The files of an outbox, oldest first, with the number of each one's first entry. The oldest goes
 * when there are too many, or when all its entries were sent. The disk's thread and the reader call
 * it.
 */
final class SegmentList {
    private static final int MOST = 8;

    private final CycleFiles files;
    private final Listing listing;
    private final long segmentBytes;
    private final Deque<Segment> all = new ArrayDeque<>();
    private long newestBytes;
    private volatile long bytes;
    private boolean dropped;

    /** Entries before this number were sent. A file may hold some of them, and others. */
    private long released;

    /** A file, and the number of its first entry. */
    private record Segment(int cycle, long first) {}

    /** Chronicle's list of files, which it reads again. */
    @FunctionalInterface
    interface Listing {
        void refresh() throws IOException;
    }

    /**
     * @param maxBytes of all files
     */
    SegmentList(CycleFiles files, Listing listing, long maxBytes) {
        this.files = files;
        this.listing = listing;
        this.segmentBytes = maxBytes / MOST;
    }

    synchronized void clear() {
        all.clear();
    }

    /** Adds a file of an earlier process, in order. It is closed, so it counts as full. */
    synchronized void found(int cycle, long first) {
        all.add(new Segment(cycle, first));
        newestBytes = segmentBytes;
        sum();
    }

    /** Adds a new file, behind the others. */
    synchronized void begun(int cycle, long first) {
        all.add(new Segment(cycle, first));
        newestBytes = 0;
    }

    synchronized boolean isEmpty() {
        return all.isEmpty();
    }

    synchronized int newestCycle() {
        return all.getLast().cycle();
    }

    /** Returns whether an entry has room in the newest file. */
    synchronized boolean hasRoom(int size) {
        return newestBytes + size <= segmentBytes;
    }

    synchronized void added(int size) {
        newestBytes += size;
        sum();
    }

    /** Removes the oldest where there are too many. */
    synchronized void makeRoom() throws IOException {
        while (all.size() >= MOST) {
            dropped |= second().first() > released;
            removeOldest();
        }
    }

    /** Returns whether entries that were not sent went since the last call. */
    synchronized boolean hasDropped() {
        boolean is = dropped;
        dropped = false;
        return is;
    }

    /** Removes the files whose entries are all before this number, except the newest. */
    synchronized void release(long number) throws IOException {
        released = Math.max(released, number);
        while (all.size() > 1 && second().first() <= number) {
            removeOldest();
        }
    }

    private Segment second() {
        Iterator<Segment> oldest = all.iterator();
        oldest.next();
        return oldest.next();
    }

    private void removeOldest() throws IOException {
        files.remove(all.getFirst().cycle());
        all.removeFirst();
        listing.refresh();
        sum();
    }

    private void sum() {
        bytes = all.isEmpty() ? 0 : (all.size() - 1) * segmentBytes + newestBytes;
    }

    /** An upper bound of all entries' bytes: a file counts as full once another follows. */
    long bytes() {
        return bytes;
    }

    /** The cycle of the file that has an entry, or else of the first file. */
    synchronized OptionalInt cycleOf(long number) {
        OptionalInt found = OptionalInt.empty();
        for (Segment segment : all) {
            if (found.isEmpty() || segment.first() <= number) {
                found = OptionalInt.of(segment.cycle());
            }
        }
        return found;
    }

    /** Number of the first entry of the file behind that of a cycle; 0 where there is none. */
    synchronized long firstBehind(int cycle) {
        return all.stream()
                .filter(segment -> segment.cycle() > cycle)
                .mapToLong(Segment::first)
                .findFirst()
                .orElse(0);
    }
}
