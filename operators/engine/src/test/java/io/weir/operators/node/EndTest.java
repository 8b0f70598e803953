package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who needs to know when packets were, as who tells what windows lack, hears it before the end. */
final class EndTest {
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void anInputOfOneBlockHasATime() {
        for (int rings = 1; rings <= 2; rings++) {
            TinyEngine tiny = new TinyEngine(EngineOptions.DEFAULT.withShape(1, rings));
            List<Long> passed = Collections.synchronizedList(new ArrayList<>());
            tiny.engine.addPassListener(passed::add);
            tiny.engine.start();
            tiny.write(4, 6 * SECOND_NS);
            tiny.engine.writers().forEach(writer -> writer.watermark(5 * SECOND_NS));
            tiny.engine.writers().forEach(BlockWriter::end);
            tiny.end();
            passed.removeIf(time -> time == Long.MIN_VALUE);
            assertEquals(List.of(5 * SECOND_NS, Long.MAX_VALUE), passed);
        }
    }
}
