package io.weir.cluster.merge;

import io.weir.cluster.trigger.TriggerWriter;
import io.weir.operators.when.Binding;
import io.weir.operators.when.Waking;
import io.weir.operators.when.WhenState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Triggers on their way, until the test says that they are written; heard as an engine hears them:
 * what it was told before changes nothing.
 */
final class HeardTriggers implements TriggerWriter {
    /** An activation. */
    private static final class Activation {
        final long fromNs;
        final Optional<Waking> waking;
        long untilNs;

        Activation(WhenState.Change begun) {
            fromNs = begun.fromNs();
            untilNs = begun.untilNs();
            waking = begun.waking();
        }

        @Override
        public String toString() {
            return fromNs + " to " + untilNs + waking.map(Waking::toString).orElse("");
        }
    }

    private record OnItsWay(Runnable heard, Runnable written) {}

    private final Deque<OnItsWay> onTheirWay = new ArrayDeque<>();
    private final Deque<Runnable> unknown = new ArrayDeque<>();
    private final Map<String, List<Activation>> activations = new TreeMap<>();

    /** When the latest activation of each query began that was heard of before this was settled. */
    private final Map<Long, Map<String, Long>> settled = new TreeMap<>();

    @Override
    public void write(String query, long version, WhenState.Change change, Runnable written) {
        boolean valued = !change.binding().equals(Binding.NONE);
        String name = valued ? query + " " + change.binding().values() : query;
        Runnable heard =
                () -> {
                    if (change.begins()) {
                        wake(name, change);
                    } else {
                        until(name, change.fromNs(), change.untilNs());
                    }
                };
        onTheirWay.add(new OnItsWay(heard, written));
    }

    @Override
    public void settled(long settledNs) {
        Runnable heard = () -> settled.putIfAbsent(settledNs, latest());
        onTheirWay.add(new OnItsWay(heard, () -> {}));
    }

    private Map<String, Long> latest() {
        Map<String, Long> latest = new TreeMap<>();
        activations.forEach((query, all) -> latest.put(query, all.get(all.size() - 1).fromNs));
        return latest;
    }

    private void wake(String query, WhenState.Change begun) {
        List<Activation> all = activations.computeIfAbsent(query, q -> new ArrayList<>());
        if (all.isEmpty() || begun.fromNs() > all.get(all.size() - 1).fromNs) {
            all.add(new Activation(begun));
        }
    }

    private void until(String query, long fromNs, long untilNs) {
        List<Activation> all = activations.getOrDefault(query, List.of());
        if (!all.isEmpty() && fromNs == all.get(all.size() - 1).fromNs) {
            all.get(all.size() - 1).untilNs = untilNs;
        }
    }

    /** As many as chance will have it; who told them does not know it of all of these. */
    void writeSome(Random random) {
        for (int left = random.nextInt(onTheirWay.size() + 1); left > 0; left--) {
            OnItsWay next = onTheirWay.remove();
            next.heard().run();
            unknown.add(next.written());
        }
        for (int left = random.nextInt(unknown.size() + 1); left > 0; left--) {
            unknown.remove().run();
        }
    }

    void writeAll() {
        while (!onTheirWay.isEmpty()) {
            OnItsWay next = onTheirWay.remove();
            next.heard().run();
            next.written().run();
        }
    }

    /** Who told them has ended: what is not written never will be by it. */
    void end() {
        onTheirWay.clear();
        unknown.clear();
    }

    /** Of each query, when it counts. */
    Map<String, String> activations() {
        Map<String, String> all = new TreeMap<>();
        activations.forEach((query, each) -> all.put(query, each.toString()));
        return all;
    }

    /** Up to when all is settled; MIN_VALUE when nothing is. */
    long settledNs() {
        return settled.keySet().stream().mapToLong(ns -> ns).max().orElse(Long.MIN_VALUE);
    }

    /** What should have been heard of before it was heard that that time is settled. */
    List<String> unheard(HeardTriggers expected) {
        List<String> unheard = new ArrayList<>();
        settled.forEach(
                (settledNs, latest) ->
                        expected.activations.forEach(
                                (query, all) -> {
                                    long dueNs = due(all, settledNs);
                                    if (dueNs > latest.getOrDefault(query, Long.MIN_VALUE)) {
                                        unheard.add(query + " from " + dueNs + " at " + settledNs);
                                    }
                                }));
        return unheard;
    }

    /** When the latest of them began that begin by then. */
    private static long due(List<Activation> all, long settledNs) {
        return all.stream()
                .mapToLong(activation -> activation.fromNs)
                .filter(ns -> ns <= settledNs)
                .max()
                .orElse(Long.MIN_VALUE);
    }
}
