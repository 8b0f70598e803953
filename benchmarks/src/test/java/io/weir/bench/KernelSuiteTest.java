package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.kernel.Works;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole measurement once, tiny: real processes in turns, over both kinds of state. */
class KernelSuiteTest {
    @TempDir private Path directory;

    @Test
    void measuresAndChecks() throws Exception {
        List<Row> rows = new ArrayList<>();
        Effort tiny = new Effort(1, 1, 1, 1, 1, 30_000);
        new KernelSuite(
                        tiny,
                        NativeBaseline.build(Path.of("native"), Path.of("target/native")),
                        List.of(),
                        directory,
                        rows::add)
                .run(Works.named(Set.of("superspreader", "traffic_count")));
        assertEquals(3, rows.size());
        for (Row row : rows) {
            assertTrue(row.hashOk(), row.toLine());
            assertTrue(row.weirMpps() > 0);
        }
    }
}
