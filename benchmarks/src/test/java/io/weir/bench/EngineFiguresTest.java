package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.engine.EngineFigures;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The engine's figures once, tiny, so that they cannot rot. */
class EngineFiguresTest {
    @ParameterizedTest
    @CsvSource({"window, 2000, p99.9", "crowd, 5, all: "})
    void figuresArePrinted(String what, String size, String expected) throws InterruptedException {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            EngineFigures.main(new String[] {what, size});
        } finally {
            System.setOut(out);
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains(expected), text);
    }
}
