package io.weir.operators.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundingTest {
    @Test
    void halvesGoAwayFromZero() {
        assertEquals(3.0, Rounding.round(2.5, 0));
        assertEquals(-3.0, Rounding.round(-2.5, 0));
        assertEquals(0.0, Rounding.round(Math.nextDown(0.5), 0));
        assertEquals(1.24, Rounding.round(1.235000001, 2));
        assertEquals(1_300.0, Rounding.round(1_250, -2));
        assertEquals(0.0, Rounding.round(1_250, Long.MIN_VALUE));
    }

    @Test
    void whatHasNoMoreDigitsStays() {
        for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, 0x1p62, 1e300}) {
            assertEquals(value, Rounding.round(value, 0));
            assertEquals(value, Rounding.round(value, 20));
            assertEquals(value, Rounding.round(value, Long.MAX_VALUE));
        }
    }

    /** Within half a unit of the value, and written with no more digits than asked for. */
    @Test
    void isNearAndShort() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            double value = random.nextGaussian() * Math.pow(10, random.nextInt(6));
            int digits = random.nextInt(9) - 3;
            double rounded = Rounding.round(value, digits);
            String which = value + " to " + digits + " is " + rounded + ", seed " + seed;
            double most = 0.5 * Math.pow(10, -digits) + Math.abs(value) * 1e-15;
            assertTrue(Math.abs(rounded - value) <= most, which);
            int scale = BigDecimal.valueOf(rounded).stripTrailingZeros().scale();
            assertTrue(rounded == 0 || scale <= digits, which);
        }
    }
}
