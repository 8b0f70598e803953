package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.engine.EngineFigures;
import io.weir.bench.engine.ScaleFigures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The engine's figures once, tiny, so that they cannot rot. */
class EngineFiguresTest {
    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({
        "window, 2000, p99.9",
        "crowd, 5, all: ",
        "state, 3000, settled",
        "aggregates, 20000, my_mean",
        "flows, 20000, M GPVs/s",
        "lookup, 2000, M packets/s"
    })
    void figuresArePrinted(String what, int size, String expected) throws InterruptedException {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            EngineFigures.print(what, size);
        } finally {
            System.setOut(out);
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains(expected), text);
    }

    @Test
    void enginesOfEveryShapeCountEveryPacket() throws IOException {
        String table = new ScaleFigures(20_000, 2, directory).table();
        assertEquals(4, table.lines().filter(line -> line.contains("reader")).count(), table);
        assertTrue(table.contains("M lines/s"), table);
        String document = Files.readString(Path.of("../docs/CORES.md"));
        assertFalse(EngineCommand.CORES.in(document).isBlank());
    }
}
