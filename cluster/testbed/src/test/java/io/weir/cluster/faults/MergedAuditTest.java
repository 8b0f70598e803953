package io.weir.cluster.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.cluster.kafka.KafkaSettings;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A worker is not heard for some windows, and then tells how many packets it was, to one, or the
 * audit finds it.
 */
class MergedAuditTest {
    private static final long SECOND = Queries.WINDOW_NS;
    private static final int WINDOWS = 12;

    /** Of the two workers: one flow of each in each shard. */
    private static final int FLOWS = 2 * KafkaSettings.SHARDS;

    private static final int PACKETS = 10;
    private static final int OF_WORKER = KafkaSettings.SHARDS * PACKETS;
    private static final int SILENT = 4;
    private static final int HEARD = 7;
    private static final int UNHEARD = (HEARD - SILENT) * OF_WORKER;

    private final TreeMap<Long, Window> expected = new TreeMap<>();
    private final RowLog log = new RowLog();
    private final MergedAudit audit = new MergedAudit(List.of(), log, KafkaSettings.SHARDS);

    MergedAuditTest() {
        for (int w = 1; w <= WINDOWS; w++) {
            Window window = new Window();
            for (int flow = 0; flow < FLOWS * PACKETS; flow++) {
                window.count(flow % FLOWS, 1);
            }
            expected.put(w * SECOND, window);
        }
    }

    private static void silence(MergedAudit audit) {
        audit.silence((SILENT - 1) * SECOND, (SILENT + 3) * SECOND, HEARD * SECOND);
    }

    /**
     * Rows of both queries, and what is wrong with them.
     *
     * @param told packets by the first window of the worker that is heard again
     * @param first window that a shard makes without it
     */
    private List<String> wrong(long told, int first, Consumer<MergedAudit> known) {
        for (int w = 1; w <= WINDOWS; w++) {
            for (int flow = 0; flow < FLOWS; flow++) {
                int shard = flow % KafkaSettings.SHARDS;
                row(Queries.ALL, "shard-" + shard, w, flow, shard == 0 ? first : SILENT, told);
                row(Queries.SORTED, "second", w, flow, SILENT, told);
            }
        }
        known.accept(audit);
        return audit.wrong(expected, WINDOWS * SECOND);
    }

    private void row(String query, String maker, int window, int flow, int first, long told) {
        boolean silent = window >= first && window < HEARD;
        if (silent && flow >= KafkaSettings.SHARDS) {
            return;
        }
        long lost = window == HEARD ? told - (first - SILENT) * OF_WORKER : 0;
        double completeness = silent || lost > 0 ? 0.5 : 1;
        long missing = silent ? OF_WORKER : 0;
        long endNs = window * SECOND;
        log.row(query, "", maker, endNs, flow, PACKETS, PACKETS, completeness, lost, missing);
    }

    @Test
    void whatIsToldIsWhatIsMissing() {
        assertEquals(List.of(), wrong(UNHEARD, SILENT, MergedAuditTest::silence));
    }

    @Test
    void tooFewAreFound() {
        List<String> wrong = wrong(UNHEARD - 1, SILENT, MergedAuditTest::silence);
        assertEquals(2, wrong.size(), wrong.toString());
    }

    @Test
    void tooManyAreFound() {
        List<String> wrong = wrong(UNHEARD + 1, SILENT, MergedAuditTest::silence);
        assertEquals(2, wrong.size(), wrong.toString());
    }

    /** A shard that goes on without it a window later has its packets of that one. */
    @Test
    void shardsThatGiveUpLaterMayTellMoreAndNotLess() {
        assertEquals(List.of(), wrong(UNHEARD, SILENT + 1, MergedAuditTest::silence));
    }

    @Test
    void theyMayNotTellLess() {
        List<String> wrong = wrong(UNHEARD - PACKETS - 1, SILENT + 1, MergedAuditTest::silence);
        assertEquals(2, wrong.size(), wrong.toString());
    }

    /** What was open then nobody knows who has another outbox. */
    @Test
    void ofOneThatWasReplacedItIsOpen() {
        Consumer<MergedAudit> replaced =
                of -> of.loss((SILENT - 1) * SECOND, (SILENT + 3) * SECOND, HEARD * SECOND);
        assertEquals(List.of(), wrong(UNHEARD - PACKETS, SILENT, replaced));
    }

    @Test
    void whatNobodyKnowsOfIsFound() {
        assertFalse(wrong(UNHEARD, SILENT, of -> {}).isEmpty());
    }
}
