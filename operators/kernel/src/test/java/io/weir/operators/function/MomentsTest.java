package io.weir.operators.function;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The variance of integers is the nearest double or its neighbour, whatever their size. */
class MomentsTest {
    @Test
    void varianceIsThatOfExactSums() {
        long seed = Long.getLong("weir.seed", 11);
        Random random = new Random(seed);
        for (int run = 0; run < 20_000; run++) {
            int bits = 1 + random.nextInt(64);
            long far = random.nextLong() >> random.nextInt(64);
            long[] values = new long[2 + random.nextInt(9)];
            for (int i = 0; i < values.length; i++) {
                values[i] = far + (random.nextLong() >> (64 - bits));
            }
            String of = "seed " + seed + ", run " + run;
            double expected = exact(values, values.length - 1);
            double variance = variance(values, values.length - 1);
            assertEquals(expected, variance, Math.ulp(expected) * 2, of);
        }
    }

    private static double exact(long[] values, long divisor) {
        BigInteger sum = BigInteger.ZERO;
        BigInteger squares = BigInteger.ZERO;
        for (long value : values) {
            sum = sum.add(BigInteger.valueOf(value));
            squares = squares.add(BigInteger.valueOf(value).pow(2));
        }
        BigInteger count = BigInteger.valueOf(values.length);
        BigDecimal spread = new BigDecimal(squares.multiply(count).subtract(sum.pow(2)));
        BigDecimal by = new BigDecimal(count.multiply(BigInteger.valueOf(divisor)));
        return spread.divide(by, MathContext.DECIMAL128).doubleValue();
    }

    private static double variance(long[] values, long divisor) {
        long low = 0xFFFF_FFFFL;
        long[] sums = new long[6];
        for (long value : values) {
            long high = Math.multiplyHigh(value, value);
            long square = value * value;
            sums[0] += value >> 32;
            sums[1] += value & low;
            sums[2] += high >> 32;
            sums[3] += high & low;
            sums[4] += square >> 32 & low;
            sums[5] += square & low;
        }
        return Moments.variance(
                values.length, divisor, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]);
    }
}
