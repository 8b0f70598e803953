package io.weir.cluster.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The sources of a stage: how far each has come, and which are waited for. */
final class WorkerEpochs {
    /** The wait for a source that reports messages on their way, in time-outs. */
    private static final int PATIENCE = 12;

    private static final long SOMEBODY = Long.MAX_VALUE;
    private static final long AGREED = Long.MAX_VALUE;

    private final long timeoutNs;
    private final MergeCounts counts;
    private final boolean together;
    private final TreeMap<String, WorkerEpochState> sources = new TreeMap<>();
    private Set<String> expected = new HashSet<>();
    private Set<String> sending = Set.of();
    private Map<String, String> retired = Map.of();
    private boolean told;
    private long nobodySinceNs = SOMEBODY;
    private long disagreeSinceNs = AGREED;

    /**
     * @param together whether they are shards. None is given up, and none has ended before all have
     *     heard the same. A shard that reports its end earlier only heard of it earlier, and may
     *     have to go on as the others do
     */
    WorkerEpochs(long timeoutNs, MergeCounts counts, boolean together) {
        this.together = together;
        this.timeoutNs = timeoutNs;
        this.counts = counts;
    }

    /**
     * The time that all awaited sources have passed. If nobody has been awaited for a time-out, it
     * is the furthest source's: then nothing more can come of earlier windows.
     *
     * @param watermarkNs {@link Long#MIN_VALUE} when there is nobody to wait for
     */
    record Passed(long watermarkNs, Set<String> awaited, AbsentWorkers absent) {}

    WorkerEpochState of(String worker) {
        return sources.computeIfAbsent(worker, WorkerEpochState::new);
    }

    /**
     * Returns the state of a sender. Until the expected sources are known, all senders are
     * expected.
     */
    WorkerEpochState sends(String worker) {
        if (!told) {
            expected.add(worker);
        }
        return of(worker);
    }

    /**
     * Notes that a source has begun, and will count. It is waited for from now on. Others may
     * report it later, but within the time that a late source is waited for.
     */
    void begins(String worker, long nowNs) {
        expected.add(worker);
        of(worker).begins(nowNs);
    }

    /** Returns the sources that were expected and are no longer. */
    Set<String> expect(Set<String> workers, Set<String> stillSending, long nowNs) {
        Set<String> all = new HashSet<>(workers);
        sources.forEach(
                (name, source) -> {
                    if (workers.contains(name)) {
                        source.heard();
                    } else if (source.isUnheard(nowNs, timeoutNs)) {
                        all.add(name);
                    }
                });
        Set<String> gone = new HashSet<>(expected);
        gone.removeAll(all);
        gone.forEach(name -> of(name).leaves());
        for (String worker : workers) {
            if (told && !expected.contains(worker)) {
                of(worker).comes();
            }
        }
        told = true;
        expected = all;
        expected.forEach(this::of);
        sending = Set.copyOf(stillSending);
        return gone;
    }

    /** Sets the processes of workers that were taken out for good, by worker. */
    void retire(Map<String, String> lives) {
        retired = Map.copyOf(lives);
    }

    /** Returns those of them that have sent nothing since. */
    private Set<String> gone() {
        Set<String> gone = new HashSet<>();
        retired.forEach(
                (worker, life) -> {
                    WorkerEpochState source = sources.get(worker);
                    if (source != null
                            && life.equals(source.life())
                            && !expected.contains(worker)) {
                        gone.add(worker);
                    }
                });
        return gone;
    }

    boolean isExpected(String worker) {
        return expected.contains(worker);
    }

    long watermarkNs(String worker) {
        WorkerEpochState source = sources.get(worker);
        return source == null ? Long.MIN_VALUE : source.watermarkNs();
    }

    /** Returns how far it has come in any of its processes; {@link Long#MIN_VALUE} for nothing. */
    long reachedNs(String worker) {
        WorkerEpochState source = sources.get(worker);
        return source == null ? Long.MIN_VALUE : source.reachedNs();
    }

    boolean hasHeardOf(String worker, String life) {
        WorkerEpochState source = sources.get(worker);
        return source != null && source.hasHeardOf(life);
    }

    boolean hasEnded(String worker, String life) {
        WorkerEpochState source = sources.get(worker);
        return source != null && source.hasEnded(life);
    }

    /** Returns the names of the awaited sources that have not come as far as another. */
    Set<String> behind() {
        long newestNs = beforeEndNs();
        Set<String> behind = new TreeSet<>();
        for (String worker : expected) {
            WorkerEpochState source = of(worker);
            if (!source.isGivenUp() && source.watermarkNs() < newestNs) {
                behind.add(worker);
            }
        }
        return behind;
    }

    /**
     * Returns the sources that have come so far, or have begun, and have not come to their ends.
     */
    Set<String> goingOn(long sinceNs) {
        Set<String> names = new HashSet<>();
        sources.forEach(
                (name, source) -> {
                    long atNs = source.watermarkNs();
                    if (source.hasBegun() || atNs >= sinceNs && atNs != Long.MAX_VALUE) {
                        names.add(name);
                    }
                });
        return names;
    }

    private long newestNs() {
        long newest = Long.MIN_VALUE;
        for (WorkerEpochState source : sources.values()) {
            newest = Math.max(newest, source.watermarkNs());
        }
        return newest;
    }

    /** Returns the furthest progress, without ends. */
    long beforeEndNs() {
        long newest = Long.MIN_VALUE;
        for (WorkerEpochState source : sources.values()) {
            newest = Math.max(newest, source.beforeEndNs());
        }
        return newest;
    }

    /** Returns all progress as a number. */
    long digest() {
        long digest = 0;
        for (WorkerEpochState source : sources.values()) {
            digest += source.digest();
        }
        return digest == MergeMessage.Passed.UNTOLD ? 1 : digest;
    }

    /** Notes that a source has sent a part of a window. */
    void sendsWindow(WorkerEpochState source) {
        if (together) {
            source.goesOn();
        }
    }

    /** Gives up sources that are behind for too long. */
    Passed passed(long nowNs) {
        // A source that has ended does not show how far the others should be.
        long newestNs = beforeEndNs();
        Map<String, Long> absent = new HashMap<>();
        Set<String> awaited = new HashSet<>();
        for (String worker : expected) {
            WorkerEpochState source = sources.get(worker);
            long patienceNs = sending.contains(worker) ? PATIENCE * timeoutNs : timeoutNs;
            if (!together && source.isOverdue(newestNs, nowNs, patienceNs)) {
                counts.timeouts().incrementAndGet();
            }
            if (source.isGivenUp()) {
                absent.put(worker, source.watermarkNs());
            } else {
                awaited.add(worker);
            }
        }
        AbsentWorkers all = new AbsentWorkers(absent, begun(awaited), gone());
        if (!awaited.isEmpty()) {
            nobodySinceNs = SOMEBODY;
            return together ? passedTogether(awaited, nowNs) : passed(awaited, all);
        }
        if (nobodySinceNs == SOMEBODY) {
            nobodySinceNs = nowNs;
        }
        boolean due = nowNs - nobodySinceNs >= timeoutNs;
        long allNs = expected.isEmpty() ? newestNs() : newestNs;
        return new Passed(due ? allNs : Long.MIN_VALUE, awaited, all);
    }

    /**
     * Returns the sources that have begun and are not waited for, with the end up to which windows
     * lack them.
     */
    private Map<String, Long> begun(Set<String> awaited) {
        Map<String, Long> begun = new HashMap<>();
        sources.forEach(
                (name, source) -> {
                    if (source.hasBegun() && !awaited.contains(name)) {
                        begun.put(name, source.missedUntilNs());
                    }
                });
        return begun;
    }

    /** Notes that windows up to this end were made. */
    void made(long passedNs) {
        sources.values().forEach(source -> source.made(passedNs));
    }

    private Passed passed(Set<String> awaited, AbsentWorkers absent) {
        long leastNs = Long.MAX_VALUE;
        for (String worker : awaited) {
            leastNs = Math.min(leastNs, sources.get(worker).watermarkNs());
        }
        return new Passed(leastNs, awaited, absent);
    }

    /**
     * A shard that has ended and has not heard what another has stands at an earlier end, and will
     * go on. If it never does, because its message was lost, it is waited for like a source with
     * messages on their way. Then windows lack it.
     */
    private Passed passedTogether(Set<String> shards, long nowNs) {
        boolean ended = shards.stream().allMatch(shard -> sources.get(shard).hasEnded());
        long patienceNs = PATIENCE * timeoutNs;
        if (!ended || agree(shards)) {
            disagreeSinceNs = AGREED;
        } else if (disagreeSinceNs == AGREED) {
            disagreeSinceNs = nowNs;
        }
        boolean agreed = disagreeSinceNs == AGREED;
        if (ended && (agreed || nowNs - disagreeSinceNs >= patienceNs)) {
            Map<String, Long> lacking = new HashMap<>();
            shards.forEach(shard -> lacking.put(shard, Long.MAX_VALUE));
            AbsentWorkers absent = new AbsentWorkers(Map.of(), lacking, Set.of());
            return new Passed(Long.MAX_VALUE, shards, agreed ? AbsentWorkers.NOBODY : absent);
        }
        long leastNs = Long.MAX_VALUE;
        for (String shard : shards) {
            leastNs = Math.min(leastNs, sources.get(shard).lastNs());
        }
        return new Passed(leastNs, shards, AbsentWorkers.NOBODY);
    }

    /** Returns whether they have heard the same, as far as they report. */
    private boolean agree(Set<String> shards) {
        return shards.stream()
                        .mapToLong(shard -> sources.get(shard).endHeard())
                        .filter(heard -> heard != MergeMessage.Passed.UNTOLD)
                        .distinct()
                        .count()
                <= 1;
    }
}
