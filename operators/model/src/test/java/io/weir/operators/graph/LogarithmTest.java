package io.weir.operators.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LogarithmTest {
    @Test
    void ofPowersOfTwoItIsExact() {
        for (int power = -1074; power <= 1023; power++) {
            assertEquals(power, Logarithm.base2(Math.scalb(1.0, power)));
        }
    }

    @Test
    void ofAnyNumberItIsNearTheQuotientAndGrowsWithIt() {
        long seed = 29;
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            double value = Math.abs(Double.longBitsToDouble(random.nextLong()));
            double quotient = Math.log(value) / Math.log(2);
            double own = Logarithm.base2(value);
            String which = "seed " + seed + ", of " + value;
            assertEquals(quotient, own, 1e-12, which);
            assertTrue(Double.isNaN(value) || own <= Logarithm.base2(value * 1.001), which);
        }
    }

    @Test
    void whereThereIsNoneItIsAsTheNaturalOne() {
        for (double value : new double[] {0, -0.0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertEquals(Math.log(value), Logarithm.base2(value));
        }
    }
}
