package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Query;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Captures with gaps, shorter and longer than FOR, so that a slice passes the end of an activation
 * and the rows that renew it at once, and hears of these from the merge: random queries and times
 * say what one engine says, row by row.
 */
@Timeout(600)
final class SlicesOverGapsTest {
    private static final int RUNS = Integer.getInteger("weir.test.gaps", 40);

    @TempDir private Path directory;

    @Test
    void whatRenewsForIsHeardOfBeforeItEnds() {
        long base = Long.getLong("weir.seed", 1);
        long rows = 0;
        for (long seed = base; seed < base + RUNS; seed++) {
            GapStory story = new GapStory(new Random(seed));
            List<Query> queries = MergedLibraryTest.queries(story.sql());
            Path capture = story.write(directory.resolve(seed + ".pcap"));
            rows += MergedLibraryTest.compare(story.sql(), queries, capture, seed);
        }
        assertTrue(rows > 20L * RUNS, rows + " rows of woken queries, from seed " + base);
    }
}
