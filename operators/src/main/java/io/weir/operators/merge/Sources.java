package io.weir.operators.merge;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Those who send to a stage: how far each has come, and who is waited for. */
final class Sources {
    /** Who says that it is still sending is waited for so many times as long. */
    private static final int PATIENCE = 12;

    private static final long SOMEBODY = Long.MAX_VALUE;

    /** Who has said that it begins is waited for so long without being heard otherwise. */
    private static final long HEARD_WITHIN_NS = 5_000_000_000L;

    /** A time-out that never comes. */
    static final long FOR_EVER = Long.MAX_VALUE / PATIENCE;

    private final long timeoutNs;
    private final MergeCounts counts;
    private final boolean together;
    private final TreeMap<String, SourceState> sources = new TreeMap<>();
    private Set<String> expected = new HashSet<>();
    private Set<String> sending = Set.of();

    /** Since when those are waited for who have only said that they begin. */
    private final Map<String, Long> beganNs = new HashMap<>();

    private boolean told;
    private long nobodySinceNs = SOMEBODY;

    /**
     * @param together whether none has ended before all have: those who say so earlier only heard
     *     of it earlier, and may have to go on as the others do
     */
    Sources(long timeoutNs, MergeCounts counts, boolean together) {
        this.together = together;
        this.timeoutNs = timeoutNs;
        this.counts = counts;
    }

    /**
     * What time has passed with all who are waited for; where nobody has been for a time-out, with
     * whoever was furthest: then nothing more can come of the windows before.
     *
     * @param watermarkNs {@link Long#MIN_VALUE} when there is nobody to wait for
     * @param absent who is expected and was given up, and how far it had come
     */
    record Passed(long watermarkNs, Set<String> awaited, Map<String, Long> absent) {}

    SourceState of(String worker) {
        return sources.computeIfAbsent(worker, w -> new SourceState());
    }

    /** Of one who sends: until the first word on who is expected, all are. */
    SourceState sends(String worker) {
        if (!told) {
            expected.add(worker);
        }
        return of(worker);
    }

    /** What was kept of it. */
    void restore(String worker, MergeJournal.SourceMark mark) {
        sends(worker).restore(mark, !together);
    }

    /**
     * The first word of a source, which says that it begins: it is waited for, whether or not it
     * was heard otherwise. Shards do not say it; they are waited for anyway.
     *
     * @return whether it was that
     */
    boolean begins(String worker, Parcel first, long nowNs) {
        if (together || !(first instanceof Parcel.Passed passed)) {
            return false;
        }
        of(worker).begins(passed.watermarkNs());
        if (expected.add(worker)) {
            beganNs.put(worker, nowNs);
        }
        return true;
    }

    /** Returns those who were expected and are no more. */
    Set<String> expect(Set<String> heard, Set<String> stillSending, long nowNs) {
        beganNs.keySet().removeAll(heard);
        beganNs.values().removeIf(began -> nowNs - began > HEARD_WITHIN_NS);
        Set<String> workers = new HashSet<>(heard);
        workers.addAll(beganNs.keySet());
        Set<String> gone = new HashSet<>(expected);
        gone.removeAll(workers);
        for (String worker : workers) {
            if (told && !expected.contains(worker)) {
                of(worker).comes();
            }
        }
        told = true;
        expected = workers;
        expected.forEach(this::of);
        sending = Set.copyOf(stillSending);
        return gone;
    }

    boolean isExpected(String worker) {
        return expected.contains(worker);
    }

    long watermarkNs(String worker) {
        SourceState source = sources.get(worker);
        return source == null ? Long.MIN_VALUE : source.watermarkNs();
    }

    /** Those who have come so far, and have not come to their ends. */
    Set<String> goingOn(long sinceNs) {
        Set<String> names = new HashSet<>();
        sources.forEach(
                (name, source) -> {
                    long atNs = source.watermarkNs();
                    if (atNs >= sinceNs && atNs != Long.MAX_VALUE) {
                        names.add(name);
                    }
                });
        return names;
    }

    private long newestNs() {
        long newest = Long.MIN_VALUE;
        for (SourceState source : sources.values()) {
            newest = Math.max(newest, source.watermarkNs());
        }
        return newest;
    }

    /** How far anybody was, ends not counted, nor beginnings. */
    long beforeEndNs() {
        long newest = Long.MIN_VALUE;
        for (SourceState source : sources.values()) {
            newest = Math.max(newest, source.beforeEndNs());
        }
        return newest;
    }

    /** Gives up who is behind for too long. */
    Passed passed(long nowNs) {
        // That one has come to its end says nothing of how far the others should be.
        long newestNs = beforeEndNs();
        Map<String, Long> absent = new HashMap<>();
        Set<String> awaited = new HashSet<>();
        for (String worker : expected) {
            SourceState source = sources.get(worker);
            long patienceNs = sending.contains(worker) ? PATIENCE * timeoutNs : timeoutNs;
            if (source.isOverdue(newestNs, nowNs, patienceNs)) {
                counts.timeouts().incrementAndGet();
            }
            if (source.isGivenUp()) {
                absent.put(worker, source.watermarkNs());
            } else {
                awaited.add(worker);
            }
        }
        if (!awaited.isEmpty()) {
            nobodySinceNs = SOMEBODY;
            return new Passed(leastNs(awaited), awaited, absent);
        }
        if (nobodySinceNs == SOMEBODY) {
            nobodySinceNs = nowNs;
        }
        boolean due = nowNs - nobodySinceNs >= timeoutNs;
        long allNs = expected.isEmpty() ? newestNs() : newestNs;
        return new Passed(due ? allNs : Long.MIN_VALUE, awaited, absent);
    }

    private long leastNs(Set<String> awaited) {
        boolean ended = awaited.stream().allMatch(worker -> sources.get(worker).hasEnded());
        long leastNs = Long.MAX_VALUE;
        for (String worker : awaited) {
            SourceState source = sources.get(worker);
            boolean before = together && !ended && source.hasEnded();
            leastNs = Math.min(leastNs, before ? source.beforeEndNs() : source.watermarkNs());
        }
        return leastNs;
    }
}
