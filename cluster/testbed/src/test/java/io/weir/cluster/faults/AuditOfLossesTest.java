package io.weir.cluster.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.faults.Life.End;
import io.weir.cluster.kafka.KafkaSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Windows that a loss touches may count less, if they say so. */
class AuditOfLossesTest extends AuditedRows {
    /** Later rows of a replaced process are in nobody's packets. */
    @Test
    void rowsOfAReplacedProcessAreFound() {
        long frozenNs = HORIZON - 8 * SECOND - SECOND / 2;
        List<Row> rows = right();
        first.ended(End.REPLACED, frozenNs, frames.before(first.beginNs(), frozenNs));
        assertFalse(audit(rows).wrong().isEmpty());
    }

    /**
     * A merged window of a time when a worker was lost may count less if it says so; never more.
     */
    @Test
    void windowsOfALossMayCountLess() {
        List<Row> rows = right();
        long end = HORIZON - 7 * SECOND;
        rows.replaceAll(r -> r.isOf(Queries.ALL, end) ? r.lacking(0.5, 7) : r);
        Audit right = audit(rows, audit -> audit.loss(end, end, end));
        assertEquals(List.of(), right.wrong());
        assertTrue(right.summary().contains(", 7 estimated as missing;"), right.summary());
        assertFalse(audit(rows).wrong().isEmpty());
        long later = end + 5 * SECOND;
        assertFalse(audit(rows, audit -> audit.loss(later, later, later)).wrong().isEmpty());
        long sooner = end - 3 * SECOND;
        assertFalse(audit(rows, audit -> audit.loss(sooner, sooner, sooner)).wrong().isEmpty());
        rows.replaceAll(r -> r.completeness() == 0.5 ? r.with(1_000_000) : r);
        assertFalse(audit(rows, audit -> audit.loss(end, end, end)).wrong().isEmpty());
    }

    /**
     * A shard that has no rows of a window cannot say what it lacks; the others' rows are whole.
     */
    @Test
    void aShardWithoutRowsSaysNothing() {
        long end = HORIZON - 7 * SECOND;
        List<Row> rows = right();
        rows.removeIf(r -> r.isOf(Queries.ALL, end) && maker(r).equals("shard-1"));
        Audit right = audit(rows, audit -> audit.loss(end, end, end));
        assertEquals(List.of(), right.wrong());
        assertTrue(right.summary().contains(" 1 are incomplete"), right.summary());
        assertFalse(audit(rows).wrong().isEmpty());
        rows.replaceAll(r -> r.isOf(Queries.ALL, end) ? r.with(r.packets() - 1) : r);
        assertFalse(audit(rows, audit -> audit.loss(end, end, end)).wrong().isEmpty());

        List<Row> heard = right();
        List<Row> last = heard.stream().filter(r -> r.isOf(Queries.ALL, end)).toList();
        assertEquals(
                KafkaSettings.SHARDS, last.stream().map(AuditedRows::maker).distinct().count());
        heard.remove(
                last.stream()
                        .filter(
                                r ->
                                        last.stream().filter(o -> maker(o).equals(maker(r))).count()
                                                > 1)
                        .findAny()
                        .orElseThrow());
        assertFalse(audit(heard, audit -> audit.loss(end, end, end)).wrong().isEmpty());

        List<Row> sorted = right();
        sorted.remove(
                sorted.stream().filter(r -> r.isOf(Queries.SORTED, end)).findAny().orElseThrow());
        assertFalse(audit(sorted, audit -> audit.loss(end, end, end)).wrong().isEmpty());
    }

    /** A window says of packets that are missing, or is complete: one or the other. */
    @Test
    void whatIsMissingIsSaid() {
        long end = HORIZON - 7 * SECOND;
        for (String query : List.of(Queries.ALL, Queries.SORTED)) {
            isWrong(
                    "complete, and lacks packets",
                    rows -> rows.replaceAll(r -> r.isOf(query, end) ? r.lacking(1, 0) : r));
            isWrong(
                    "complete, and says that packets are missing",
                    rows -> rows.replaceAll(r -> r.isOf(query, end) ? r.saying(1) : r));
            List<Row> rows = right();
            rows.replaceAll(r -> r.isOf(query, end) ? r.lacking(0.5, 0) : r);
            List<String> wrong = audit(rows, audit -> audit.loss(end, end, end)).wrong();
            assertEquals(1, wrong.size(), "incomplete, and says of nothing: " + wrong);
        }
    }
}
