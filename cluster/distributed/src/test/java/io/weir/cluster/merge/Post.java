package io.weir.cluster.merge;

import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.MergeStage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Parcels on their way: each way keeps its order, ways overtake each other; some come again. */
final class Post {
    private record Addressed(MergeStage to, MergeMessage message) {}

    private final Random random;
    private final Map<String, Deque<Addressed>> ways = new TreeMap<>();
    private final List<Addressed> delivered = new ArrayList<>();

    Post(Random random) {
        this.random = random;
    }

    synchronized void put(String way, MergeStage to, MergeMessage message) {
        ways.computeIfAbsent(way, w -> new ArrayDeque<>()).add(new Addressed(to, message));
    }

    /** The postman's thread: delivers one, if there is one. */
    boolean deliverOne() {
        Addressed next = next();
        if (next == null) {
            return false;
        }
        next.to().accept(next.message(), 0);
        if (random.nextInt(8) == 0) {
            delivered.add(next);
            Addressed again = delivered.get(random.nextInt(delivered.size()));
            again.to().accept(again.message(), 0);
        }
        return true;
    }

    void deliverAll() {
        boolean more = true;
        while (more) {
            more = deliverOne();
        }
    }

    private synchronized Addressed next() {
        List<Deque<Addressed>> full = ways.values().stream().filter(w -> !w.isEmpty()).toList();
        return full.isEmpty() ? null : full.get(random.nextInt(full.size())).poll();
    }
}
