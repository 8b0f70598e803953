package io.weir.operators.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DoubleTextTest {
    @Test
    void plainAndShort() {
        assertEquals("0.0", DoubleText.format(-0.0));
        assertEquals("0.1", DoubleText.format(0.1));
        assertEquals("-1500.0", DoubleText.format(-1500));
        assertEquals("0.0001", DoubleText.format(1e-4));
        assertEquals("123456789.125", DoubleText.format(123456789.125));
        assertEquals("20000000000000000000.0", DoubleText.format(2e19));
        assertEquals("0.002", DoubleText.format(2e-3));
        assertEquals("NaN", DoubleText.format(Double.NaN));
    }

    @Test
    void shortestWhereTheJdkIsNot() {
        assertEquals("2E+23", DoubleText.format(Double.parseDouble("2e23")));
    }

    @Test
    void readsBackAsTheSameValue() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (!Double.isFinite(value)) {
                continue;
            }
            String text = DoubleText.format(value);
            assertEquals(value, Double.parseDouble(text), 0.0, "seed " + seed + ": " + text);
        }
    }
}
