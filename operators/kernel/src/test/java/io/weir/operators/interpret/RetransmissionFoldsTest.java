package io.weir.operators.interpret;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.RetransmissionFolds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes that were sent again are lost, in any order and in any number of states. */
class RetransmissionFoldsTest {
    private record Segment(long seq, long length) {}

    @Test
    void repeatedBytesAreLost() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(Long.getLong("weir.seed", seed));
            List<Segment> segments = new ArrayList<>();
            long seq = random.nextBoolean() ? (1L << 32) - 20_000 : random.nextInt(1 << 30);
            long again = 0;
            long sent = 0;
            for (int s = random.nextInt(100); s >= 0; s--) {
                Segment one = new Segment(seq, 1 + random.nextInt(1460));
                for (int copies = random.nextInt(4) == 0 ? 2 : 1; copies > 0; copies--) {
                    segments.add(one);
                    sent += one.length();
                    again += copies > 1 ? one.length() : 0;
                }
                seq = seq + one.length() & 0xffff_ffffL;
            }
            Collections.shuffle(segments, random);
            String message = "-Dweir.seed=" + seed;
            assertEquals(again, result(RetransmissionFolds.bytes(), segments, random), message);
            long packets = (again * segments.size() + sent - 1) / sent;
            assertEquals(packets, result(RetransmissionFolds.packets(), segments, random), message);
        }
    }

    /** Merges states of some segments each; some have none. */
    private static Object result(Fold fold, List<Segment> segments, Random random) {
        List<Map<String, Object>> states = new ArrayList<>();
        for (int s = 1 + random.nextInt(4); s > 0; s--) {
            Map<String, Object> state = new HashMap<>();
            fold.state().forEach(word -> state.put(word.name(), word.initial().value()));
            states.add(state);
        }
        for (Segment segment : segments) {
            Map<String, Object> state = states.get(random.nextInt(states.size()));
            Map<String, Object> row = Map.of("seq", segment.seq(), "length", segment.length());
            step(fold.update(), state, row);
        }
        while (states.size() > 1) {
            Map<String, Object> other = states.remove(random.nextInt(states.size()));
            step(fold.merge(), states.get(random.nextInt(states.size())), other);
        }
        return Evaluator.evaluate(fold.result(), v -> states.get(0).get(v.name()));
    }

    private static void step(
            List<Fold.Assignment> assignments,
            Map<String, Object> mine,
            Map<String, Object> other) {
        Map<String, Object> next = new HashMap<>();
        for (Fold.Assignment one : assignments) {
            next.put(
                    one.state(),
                    Evaluator.evaluate(
                            one.value(),
                            v -> (v.scope() == Expr.Scope.STATE ? mine : other).get(v.name())));
        }
        mine.putAll(next);
    }
}
