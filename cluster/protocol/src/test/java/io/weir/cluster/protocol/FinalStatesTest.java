package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.operators.result.Receivers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The bound, in memory and in the journal; and a process that begins. */
final class FinalStatesTest {
    private static final int ENDED = FinalStates.MOST + 300;

    private final long seed = Long.getLong("weir.seed", 53);
    private final KeptJournal journal = new KeptJournal();
    private final FinalStates finals = new FinalStates();

    private static ActivationId id(long fromNs) {
        return new ActivationId("q", 1, fromNs, Receivers.ALL);
    }

    private static MergeJournal.EndedMark mark(long endNs, boolean totals, long untold) {
        return new MergeJournal.EndedMark(new MergeJournal.Final(endNs, totals, untold), Map.of());
    }

    @Test
    void theEarliestAreForgotten() {
        List<Long> ends = new ArrayList<>(LongStream.range(0, ENDED).boxed().toList());
        Collections.shuffle(ends, new Random(seed));
        Map<ActivationId, MergeJournal.EndedMark> latest = new HashMap<>();
        for (long end : ends) {
            MergeJournal.EndedMark what = mark(end, end % 2 == 0, end);
            finals.ended(id(end), what, journal);
            if (end >= ENDED - FinalStates.MOST) {
                latest.put(id(end), what);
            }
        }
        assertEquals(latest, journal.ended(), "-Dweir.seed=" + seed);
        finals.begins(journal);
        latest.replaceAll((id, m) -> mark(m.made().endNs(), false, m.made().untold()));
        assertEquals(latest, journal.ended());
        for (long end : ends) {
            MergeJournal.EndedMark expected =
                    latest.getOrDefault(id(end), MergeJournal.EndedMark.NOTHING);
            assertEquals(expected, finals.take(id(end)));
        }
    }

    @Test
    void nothingIsLeftOfAVersionThatIsNoMore() {
        finals.ended(id(1), mark(5, true, 0), journal);
        assertFalse(journal.ended().isEmpty());
        finals.drop(journal);
        assertEquals(Map.of(), journal.ended());
        assertEquals(MergeJournal.EndedMark.NOTHING, finals.take(id(1)));
    }
}
