package io.weir.operators.merge;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What each source has told of an activation: how many packets, until when, and whether it is gone.
 * The merge's thread.
 */
final class Parts {
    /** Who is gone for so long is not missed any more. */
    private static final long FORGOTTEN_NS = 3_600_000_000_000L;

    private static final long UNKNOWN = -1;

    private final Map<String, Long> known = new HashMap<>();

    /** Sources whose later lives go on where earlier ones ended. */
    private final Set<String> goesOn = new HashSet<>();

    private final Map<String, Long> lastProcessed = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Long> untils = new HashMap<>();

    /** Workers that are gone, and how far they had come. */
    private final Map<String, Long> left = new HashMap<>();

    /** A window came too late: what is in it is in no row. Where lives go on, the next says so. */
    void late(String worker, Parcel.Window window, boolean fromTheBeginning) {
        long counted = counted(worker, window, fromTheBeginning);
        known.put(worker, window.goesOn() ? counted : all(window));
    }

    /** A window is whole; with all that is lost in it, what never came before it too. */
    Parcel.Window whole(String worker, Parcel.Window window, boolean fromTheBeginning) {
        long counted = counted(worker, window, fromTheBeginning);
        long missing = window.before() - counted;
        missing = window.goesOn() ? Math.max(-window.lost(), missing) : Math.max(0, missing);
        Parcel.Window kept = window.withLost(window.lost() + missing);
        boolean on = window.goesOn();
        known.put(worker, on ? counted + kept.lost() + kept.processed() : all(window));
        if (on) {
            goesOn.add(worker);
        }
        lastProcessed.put(worker, window.processed());
        left.remove(worker);
        return kept;
    }

    private static long all(Parcel.Window window) {
        return window.before() + window.lost() + window.processed();
    }

    /** Packets of windows before, as far as they have come here. */
    private long counted(String worker, Parcel.Window window, boolean fromTheBeginning) {
        Long before = known.get(worker);
        if (before != null) {
            return before;
        }
        return !window.goesOn() && fromTheBeginning ? 0 : window.before();
    }

    /** A source's life is over. */
    void cut(String worker) {
        if (!goesOn.contains(worker)) {
            known.remove(worker);
        }
        ended.remove(worker);
    }

    void ended(String worker) {
        ended.add(worker);
    }

    /** Workers hear of an end at different times; it has come when all of them know. */
    long until(String worker, long untilNs) {
        untils.put(worker, untilNs);
        return untils.values().stream().mapToLong(Long::longValue).max().getAsLong();
    }

    /**
     * A worker is gone that had not ended: it is missing from the windows after those that it had
     * passed, until one of it comes.
     */
    void left(String worker, long passedNs) {
        if (!ended.contains(worker)) {
            left.put(worker, passedNs);
        }
    }

    /** Whether all who are waited for have ended, and all who have ever had a part. */
    boolean areEnded(Set<String> awaited) {
        return !ended.isEmpty()
                && ended.containsAll(awaited)
                && ended.containsAll(lastProcessed.keySet());
    }

    /**
     * As much as those have sent last whose part of a window has not come.
     *
     * @param came whose has
     * @param absent who is expected and is not waited for, and how far it had come
     */
    long missing(Set<String> came, long endNs, Map<String, Long> absent) {
        long missing = 0;
        for (Map.Entry<String, Long> last : lastProcessed.entrySet()) {
            String worker = last.getKey();
            if (!came.contains(worker) && isMissing(worker, endNs, absent)) {
                missing += last.getValue();
                if (goesOn.contains(worker)) {
                    // A guess; its next window is told less, or more, by it.
                    known.merge(worker, last.getValue(), Long::sum);
                }
            }
        }
        return missing;
    }

    private boolean isMissing(String worker, long endNs, Map<String, Long> absent) {
        if (ended.contains(worker)) {
            return false;
        }
        Long goneNs = left.get(worker);
        return endNs > absent.getOrDefault(worker, Long.MAX_VALUE)
                || goneNs != null && endNs > goneNs && endNs - FORGOTTEN_NS <= goneNs;
    }

    Map<String, MergeJournal.PartMark> marks() {
        Map<String, MergeJournal.PartMark> marks = new TreeMap<>();
        for (Map.Entry<String, Long> until : untils.entrySet()) {
            String worker = until.getKey();
            marks.put(
                    worker,
                    new MergeJournal.PartMark(
                            known.getOrDefault(worker, UNKNOWN),
                            lastProcessed.getOrDefault(worker, UNKNOWN),
                            until.getValue(),
                            ended.contains(worker),
                            goesOn.contains(worker)));
        }
        return marks;
    }

    /** Without the time until: {@link #until}. */
    void restore(String worker, MergeJournal.PartMark mark) {
        if (mark.known() != UNKNOWN) {
            known.put(worker, mark.known());
        }
        if (mark.lastProcessed() != UNKNOWN) {
            lastProcessed.put(worker, mark.lastProcessed());
        }
        if (mark.ended()) {
            ended.add(worker);
        }
        if (mark.goesOn()) {
            goesOn.add(worker);
        }
    }
}
