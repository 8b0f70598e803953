package io.weir.operators.merge;

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
 * What each source has told of an activation: how many packets, until when, and whether it is gone.
 * The merge's thread.
 */
final class Parts {
    private static final long UNKNOWN = -1;

    /** Packets that each has told of, processed or lost, in windows that were in time or not. */
    private final Map<String, Long> known = new HashMap<>();

    /** Packets that were estimated of each since its last window in time. */
    private final Map<String, Long> guessed = new HashMap<>();

    /** Sources whose later lives go on where earlier ones ended. */
    private final Set<String> goesOn = new HashSet<>();

    /** The last window of each that came too late, since the last one in time. */
    private final Map<String, MergeJournal.Late> late = new HashMap<>();

    /** Of those whose lives know how many packets those before have had. */
    private final Map<String, MergeJournal.Place> places = new HashMap<>();

    private final Map<String, Long> lastProcessed = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Long> untils = new HashMap<>();

    /** Of which windows sources have sent nothing that they may have had a part in. */
    private final Map<String, MergeJournal.Absence> absences = new HashMap<>();

    /** Windows of which something was kept that cannot be read. */
    private final Set<Long> unreadNs = new HashSet<>();

    /** A window that waits, of a source whose part of one before it was guessed. */
    interface Waiting {
        /** Returns how many packets of these that window does not tell as lost any more. */
        long takeLoss(String worker, long endNs, long packets);
    }

    /** A window came too late: what is in it is in no row, and the next one in time says so. */
    void late(String worker, Parcel.Window window, boolean fromTheBeginning) {
        ended.remove(worker);
        late.put(worker, new MergeJournal.Late(window.earlier(), all(window)));
        if (isNextLife(worker, window) && fromTheBeginning) {
            return; // the first in time tells of it, and of the life before
        }
        known.put(worker, counted(worker, window, fromTheBeginning));
        place(worker, window);
    }

    /** Packets that came too late and that no window of this worker will tell. */
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

    /** Whether it is the first window of a life that knows of the one before. */
    private boolean isNextLife(String worker, Parcel.Window window) {
        MergeJournal.Place place = places.get(worker);
        return place != null && !known.containsKey(worker) && place.ledger() == window.ledger();
    }

    private void place(String worker, Parcel.Window window) {
        if (window.ledger() == PacketCounts.NO_LEDGER) {
            places.remove(worker);
        } else {
            places.put(worker, new MergeJournal.Place(window.ledger(), window.earlier()));
        }
    }

    /** Packets of lives before that no window has told of, where this one knows of them. */
    private long ofLivesBefore(String worker, Parcel.Window window) {
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

    /** Packets that all of them have told of. */
    long known() {
        return known.values().stream().mapToLong(Long::longValue).sum();
    }

    /** A window is whole. Returns all that is lost in it, what never came before it too. */
    Losses whole(String worker, Parcel.Window window, boolean fromTheBeginning) {
        long counted = counted(worker, window, fromTheBeginning);
        Losses own = window.losses();
        long before = window.before() - counted;
        // Less than none where a life that goes on had told of more; sums are right in the end.
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

    private static long all(Parcel.Window window) {
        return window.before() + window.losses().lacking() + window.processed();
    }

    /** Packets of windows before, as far as they have come here. */
    private long counted(String worker, Parcel.Window window, boolean fromTheBeginning) {
        Long before = known.get(worker);
        if (before != null) {
            return before;
        }
        return !window.goesOn() && fromTheBeginning ? 0 : window.before();
    }

    /**
     * A source's life is over, which had come so far.
     *
     * @return packets that came too late and that its next life cannot tell
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
            // It ended in order, though nobody waited for it then: its next life begins later.
            absences.computeIfPresent(worker, (w, absence) -> absence.isOver() ? absence : null);
        }
        return untold;
    }

    /** The next life tells what this one has not, or nobody does. */
    private void over(String worker) {
        Long told = known.remove(worker);
        MergeJournal.Place place = places.get(worker);
        if (place == null) {
            guessed.remove(worker);
        } else if (told != null) {
            places.put(worker, new MergeJournal.Place(place.ledger(), place.packets() + told));
        }
    }

    /** Returns packets that came too late: no window of it will tell them. */
    long ended(String worker) {
        ended.add(worker);
        return takeLate(worker);
    }

    /** Workers hear of an end at different times; it has come when all of them know. */
    long until(String worker, long untilNs) {
        untils.put(worker, untilNs);
        return untils.values().stream().mapToLong(Long::longValue).max().getAsLong();
    }

    /**
     * A worker is gone that had not ended, or something that it has sent has not come: it is
     * missing from the windows after those that it had passed, up to the next one that comes.
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

    /** Of the window something was kept that cannot be read: whoever has no part in it had one. */
    void unread(long endNs) {
        unreadNs.add(endNs);
    }

    /** Forgets who was missing from windows up to a time; whether there was any such. */
    boolean passed(long finalNs) {
        unreadNs.removeIf(endNs -> endNs <= finalNs);
        return absences.values().removeIf(absence -> absence.untilNs() <= finalNs);
    }

    /** Whether all who are waited for have ended, and all who have ever had a part. */
    boolean areEnded(Set<String> awaited) {
        return !ended.isEmpty()
                && ended.containsAll(awaited)
                && ended.containsAll(lastProcessed.keySet());
    }

    /**
     * As much as those have sent last whose part of a window has not come: an estimate, but for
     * what a window that waits tells as lost already.
     *
     * @param came whose has
     * @param together what two of them lack
     */
    Losses missing(
            Set<String> came,
            long endNs,
            Absent absent,
            BinaryOperator<Losses> together,
            Waiting waiting) {
        Losses missing = Losses.NONE;
        Set<String> all = new TreeSet<>(lastProcessed.keySet());
        all.addAll(absent.begun().keySet());
        all.removeAll(came);
        for (String worker : all) {
            // Some at least, or the window would call itself complete.
            long guess = Math.max(1, lastProcessed.getOrDefault(worker, 1L));
            if (isMissing(worker, endNs, absent)) {
                missing = together.apply(missing, missing(worker, guess, waiting));
            } else if (unreadNs.contains(endNs)) {
                missing = together.apply(missing, Losses.missing(guess)); // nobody will tell it
            }
        }
        return missing;
    }

    private boolean isMissing(String worker, long endNs, Absent absent) {
        MergeJournal.Absence absence = absences.get(worker);
        boolean within = absence != null && absence.holds(endNs);
        if (within && absence.isOver()) {
            return true;
        } else if (absent.retired().contains(worker)) {
            return false;
        } else if (absent.hasBegun(worker, endNs)) {
            return true; // whatever its lives before have said
        }
        return !ended.contains(worker)
                && (absent.isBehind(worker, endNs)
                        || within && endNs - Absent.FORGOTTEN_NS <= absence.sinceNs());
    }

    private Losses missing(String worker, long guess, Waiting waiting) {
        MergeJournal.Absence absence = absences.get(worker);
        if (absence != null && absence.ofLifeBefore()) {
            if (places.containsKey(worker)) {
                guessed.merge(worker, guess, Long::sum); // its next life may tell
            }
            return Losses.missing(guess);
        }
        // Its next window may wait already, and tell of them: they are told where they are missed.
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
