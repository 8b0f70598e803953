package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhenSuiteTest {
    @TempDir private Path directory;

    @Test
    void eachPassHasTheSameRowsAndAllWakesAreSeen() throws Exception {
        List<Row> rows = new ArrayList<>();
        new WhenSuite(new Effort(1, 0, 1, 1, 1, 8_000_000), directory, rows::add).run();
        assertEquals(6, rows.size());
        for (Row row : rows) {
            assertTrue(row.hashOk(), row.toLine());
        }
    }
}
