package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.queue.QueueBenchmark;
import io.weir.bench.table.TableBenchmark;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

/** The comparisons once, tiny; each checks its own result. */
class ComparisonTest {
    @Test
    void queues() throws RunnerException {
        List<String> lines = new Comparison(QueueBenchmark.class, 0).run();
        assertEquals(10, lines.size());
        assertTrue(lines.get(0).startsWith("pass queue=agrona_array yields=true "), lines.get(0));
    }

    @Test
    void tables() throws RunnerException {
        List<String> lines =
                new Comparison(TableBenchmark.class, 0)
                        .with("slotsLog2", "12")
                        .with("loadPercent", "50", "95")
                        .run();
        assertEquals(8, lines.size());
        assertTrue(lines.get(0).contains("loadPercent=50"), lines.get(0));
    }
}
