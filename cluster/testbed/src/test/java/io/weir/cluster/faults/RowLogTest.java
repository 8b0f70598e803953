package io.weir.cluster.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever reads rows has those of a worker, or of a shard, in the order of their windows. */
class RowLogTest {
    private static final long SECOND = Queries.WINDOW_NS;

    private final RowLog log = new RowLog();

    private void row(String query, String maker, int window, long flow) {
        log.row(query, "", maker, window * SECOND, flow, 1, 1, 1, 0, 0);
    }

    @Test
    void eachMakerHasAnOrderOfItsOwn() {
        row(Queries.ALL, "shard-0", 5, 1);
        row(Queries.ALL, "shard-0", 5, 2);
        row(Queries.ALL, "shard-0", 7, 1);
        row(Queries.ALL, "shard-1", 6, 3);
        row(Queries.SORTED, "shard-0", 4, 1);
        assertEquals(List.of(), log.takeWrong());
    }

    @Test
    void rowsThatGoBackAreFound() {
        row(Queries.EACH, "Node1", 5, 1);
        row(Queries.EACH, "Node1", 6, 1);
        row(Queries.EACH, "Node1", 5, 2);
        List<String> wrong = log.takeWrong();
        assertEquals(1, wrong.size(), wrong.toString());
        assertTrue(wrong.get(0).contains("each_node by Node1"), wrong.toString());
    }
}
