package io.weir.cluster.protocol;

import io.weir.operators.result.Losses;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * The reports of each source on an activation: its packets, its end, and whether it is gone. The
 * merge's thread.
 */
final class ReportedParts {
    private static final long UNKNOWN = -1;

    /** Packets that each has reported, processed or lost, in windows that were in time or not. */
    private final Map<String, Long> known = new HashMap<>();

    /** Packets that were estimated of each since its last window in time. */
    private final Map<String, Long> guessed = new HashMap<>();

    /** Sources whose later processes go on where earlier ones ended. */
    private final Set<String> goesOn = new HashSet<>();

    /** The last window of each that came too late, since the last one in time. */
    private final Map<String, MergeJournal.Late> late = new HashMap<>();

    /** The places of sources whose processes know the number of their predecessors' packets. */
    private final Map<String, MergeJournal.Place> places = new HashMap<>();

    private final Map<String, Long> lastProcessed = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Long> untils = new HashMap<>();

    /** The windows that sources have not sent, but may have had a part in. */
    private final Map<String, MergeJournal.Absence> absences = new HashMap<>();

    /** Windows with a stored record that cannot be read. */
    private final Set<Long> unreadNs = new HashSet<>();

    /** A waiting window, of a source whose part of an earlier one was estimated. */
    interface Waiting {
        /** Returns how many packets of these that window no longer reports as lost. */
        long takeLoss(String worker, long endNs, long packets);
    }

    /**
     * Notes that a window came too late. Its packets are in no row, and the next window in time
     * reports them.
     */
    void late(String worker, MergeMessage.Window window, boolean fromTheBeginning) {
        ended.remove(worker);
        late.put(worker, new MergeJournal.Late(window.earlier(), all(window)));
        if (isNextLife(worker, window)) {
            return; // the first in time tells of it, and of the life before
        }
        known.put(worker, counted(worker, window, fromTheBeginning));
        place(worker, window);
    }

    /** Returns packets that came too late and that no window of this worker will report. */
    private long takeLate(String worker) {
        MergeJournal.Late last = late.remove(worker);
        if (last == null) {
            return 0;
        }
        MergeJournal.Place place = places.get(worker);
        Long told = known.put(worker, last.packets());
        if (place == null || told != null) {
            return Math.max(0, last.packets() - (told == null ? 0 : told));
        }
        places.put(worker, new MergeJournal.Place(place.ledger(), last.earlier()));
        return Math.max(0, last.earlier() + last.packets() - place.packets());
    }

    /** Returns whether it is the first window of a process that knows of its predecessor. */
    private boolean isNextLife(String worker, MergeMessage.Window window) {
        MergeJournal.Place place = places.get(worker);
        return place != null && !known.containsKey(worker) && place.ledger() == window.ledger();
    }

    private void place(String worker, MergeMessage.Window window) {
        if (window.ledger() == PacketCounts.NO_LEDGER) {
            places.remove(worker);
        } else {
            places.put(worker, new MergeJournal.Place(window.ledger(), window.earlier()));
        }
    }

    /**
     * Returns packets of earlier processes that no window has reported, if this one knows of them.
     */
    private long ofLivesBefore(String worker, MergeMessage.Window window) {
        MergeJournal.Place place = places.get(worker);
        if (isNextLife(worker, window)) {
            absences.computeIfPresent(worker, (w, absence) -> absence.told());
            return Math.max(0, window.earlier() - place.packets());
        }
        if (place != null && place.ledger() != window.ledger()) {
            guessed.remove(worker); // it cannot know
        }
        return 0;
    }

    /** Returns the packets that all of them have reported. */
    long known() {
        return known.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Notes that a window is whole. Returns all that is lost in it, including earlier packets that
     * never came.
     */
    Losses whole(String worker, MergeMessage.Window window, boolean fromTheBeginning) {
        long counted = counted(worker, window, fromTheBeginning);
        Losses own = window.losses();
        long before = window.before() - counted;
        // It is negative if a process that goes on had reported more; the sums are right in the
        // end.
        before = window.goesOn() ? Math.max(-own.lost(), before) : Math.max(0, before);
        before += ofLivesBefore(worker, window);
        Long estimated = guessed.remove(worker);
        long again = Math.max(0, Math.min(before, estimated == null ? 0 : estimated));
        Losses all = own.plus(new Losses(before, 0, again, 0, 0, false));
        boolean on = window.goesOn();
        known.put(worker, on ? counted + all.lost() + window.processed() : all(window));
        place(worker, window);
        if (on) {
            goesOn.add(worker);
        }
        lastProcessed.put(worker, window.processed());
        ended.remove(worker); // a shard that had ended goes on
        late.remove(worker);
        absences.computeIfPresent(worker, (w, absence) -> absence.until(window.endNs()));
        return all;
    }

    private static long all(MergeMessage.Window window) {
        return window.before() + window.losses().lacking() + window.processed();
    }

    /**
     * Packets of windows before, as far as they have come here. None of a life that goes on where
     * one ended that was heard, even if its first messages are lost, as on a full disk.
     */
    private long counted(String worker, MergeMessage.Window window, boolean fromTheBeginning) {
        Long before = known.get(worker);
        if (before != null) {
            return before;
        }
        boolean isHeard = fromTheBeginning || isNextLife(worker, window);
        return !window.goesOn() && isHeard ? 0 : window.before();
    }

    /**
     * Notes that a source's process is over, and how far it had come.
     *
     * @return packets that came too late and that its next process cannot report
     */
    long cut(String worker, long passedNs) {
        long untold = 0;
        if (!goesOn.contains(worker)) {
            absent(worker, new MergeJournal.Absence(passedNs, Long.MAX_VALUE, true));
            untold = places.containsKey(worker) ? 0 : takeLate(worker);
            late.remove(worker);
            over(worker);
        }
        if (ended.remove(worker)) {
            // It ended in order, though nobody waited for it then. Its next process begins later.
            absences.computeIfPresent(worker, (w, absence) -> absence.isOver() ? absence : null);
        }
        return untold;
    }

    /** The next process reports what this one has not, or nobody does. */
    private void over(String worker) {
        Long told = known.remove(worker);
        MergeJournal.Place place = places.get(worker);
        if (place == null) {
            guessed.remove(worker);
        } else if (told != null) {
            places.put(worker, new MergeJournal.Place(place.ledger(), place.packets() + told));
        }
    }

    /** Returns packets that came too late: no window of it will report them. */
    long ended(String worker) {
        ended.add(worker);
        return takeLate(worker);
    }

    /** Workers learn of an end at different times. It has come when all of them know. */
    long until(String worker, long untilNs) {
        untils.put(worker, untilNs);
        return untils.values().stream().mapToLong(Long::longValue).max().getAsLong();
    }

    /**
     * Notes that a worker is gone that had not ended, or that some of its messages have not come.
     * It is missing from the windows after those that it had passed, up to its next window.
     *
     * @return whether anything has changed
     */
    boolean left(String worker, long passedNs) {
        return absent(worker, new MergeJournal.Absence(passedNs, Long.MAX_VALUE, false));
    }

    private boolean absent(String worker, MergeJournal.Absence absence) {
        boolean begun = absence.sinceNs() != Long.MIN_VALUE && absence.sinceNs() != Long.MAX_VALUE;
        if (!begun || ended.contains(worker)) {
            return false;
        }
        absences.merge(worker, absence, MergeJournal.Absence::and);
        return true;
    }

    /**
     * Notes a stored record of the window that cannot be read. A source without a part in the
     * window is assumed to have had one.
     */
    void unread(long endNs) {
        unreadNs.add(endNs);
    }

    /**
     * Removes the sources that were missing from windows up to a time. Returns whether there were
     * any.
     */
    boolean passed(long finalNs) {
        unreadNs.removeIf(endNs -> endNs <= finalNs);
        return absences.values().removeIf(absence -> absence.untilNs() <= finalNs);
    }

    /** Returns whether all awaited sources have ended, and all that ever had a part. */
    boolean areEnded(Set<String> awaited) {
        return !ended.isEmpty()
                && ended.containsAll(awaited)
                && ended.containsAll(lastProcessed.keySet());
    }

    /**
     * Estimates the packets of sources whose part of a window has not come, by their last windows.
     * Packets that a waiting window reports as lost are not included.
     *
     * @param came the sources whose part has come
     * @param together adds up what two of them lack
     */
    Losses missing(
            Set<String> came,
            long endNs,
            AbsentWorkers absent,
            BinaryOperator<Losses> together,
            Waiting waiting) {
        Losses missing = Losses.NONE;
        Set<String> all = new TreeSet<>(lastProcessed.keySet());
        all.addAll(absent.begun().keySet());
        all.removeAll(came);
        for (String worker : all) {
            // The estimate is at least 1, because the window must not call itself complete.
            long guess = Math.max(1, lastProcessed.getOrDefault(worker, 1L));
            if (isMissing(worker, endNs, absent)) {
                missing = together.apply(missing, missing(worker, guess, waiting));
            } else if (unreadNs.contains(endNs)) {
                missing = together.apply(missing, Losses.missing(guess)); // nobody will report them
            }
        }
        return missing;
    }

    private boolean isMissing(String worker, long endNs, AbsentWorkers absent) {
        MergeJournal.Absence absence = absences.get(worker);
        boolean within = absence != null && absence.holds(endNs);
        if (within && absence.isOver()) {
            return true;
        } else if (absent.retired().contains(worker)) {
            return false;
        } else if (absent.hasBegun(worker, endNs)) {
            return true; // whatever its earlier processes have reported
        }
        return !ended.contains(worker)
                && (absent.isBehind(worker, endNs)
                        || within && endNs - AbsentWorkers.FORGOTTEN_NS <= absence.sinceNs());
    }

    private Losses missing(String worker, long guess, Waiting waiting) {
        MergeJournal.Absence absence = absences.get(worker);
        if (absence != null && absence.ofLifeBefore()) {
            if (places.containsKey(worker)) {
                guessed.merge(worker, guess, Long::sum); // its next process may report them
            }
            return Losses.missing(guess);
        }
        // Its next window may already wait and report them. They must be reported where they are
        // missed.
        long told = absence == null ? 0 : waiting.takeLoss(worker, absence.untilNs(), guess);
        if (told > 0) {
            return Losses.of(told);
        }
        guessed.merge(worker, guess, Long::sum);
        return Losses.missing(guess);
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
                            goesOn.contains(worker),
                            guessed.getOrDefault(worker, 0L),
                            Optional.ofNullable(absences.get(worker)),
                            Optional.ofNullable(places.get(worker)),
                            Optional.ofNullable(late.get(worker))));
        }
        return marks;
    }

    /** Returns when the activation ends, as far as is known. */
    long restore(Map<String, MergeJournal.PartMark> marks) {
        long untilNs = Long.MAX_VALUE;
        for (Map.Entry<String, MergeJournal.PartMark> mark : marks.entrySet()) {
            restore(mark.getKey(), mark.getValue());
            untilNs = until(mark.getKey(), mark.getValue().untilNs());
        }
        return untilNs;
    }

    private void restore(String worker, MergeJournal.PartMark mark) {
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
        if (mark.guessed() > 0) {
            guessed.put(worker, mark.guessed());
        }
        mark.absence().ifPresent(absence -> absences.put(worker, absence));
        mark.place().ifPresent(place -> places.put(worker, place));
        mark.late().ifPresent(last -> late.put(worker, last));
    }
}
