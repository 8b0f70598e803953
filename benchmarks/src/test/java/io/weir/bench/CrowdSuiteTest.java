package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrowdSuiteTest {
    @TempDir private Path directory;

    @Test
    void rowsInTheCrowdAreThoseOfEachAlone() throws Exception {
        List<Row> rows = new ArrayList<>();
        new CrowdSuite(new Effort(1, 0, 1, 0, 1, 120_000), directory, rows::add).run();
        assertEquals(2, rows.size());
        for (Row row : rows) {
            assertTrue(row.hashOk(), row.toLine());
        }
    }
}
