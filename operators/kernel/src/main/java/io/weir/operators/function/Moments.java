package io.weir.operators.function;

import java.math.BigInteger;

/**
 * The variance of integers from their exact sums, so that it does not depend on the order in which
 * they came or were merged. Generated code calls it, once for a group.
 */
public final class Moments {
    private static final int HALF = 32;

    /** The most values for which a sum of squares below 2^64 fits 128 bits. */
    private static final long MOST = 1L << 31;

    private Moments() {}

    /**
     * Computes the variance. Sums of values and of squares come as sums of their 32-bit parts, the
     * highest first.
     *
     * @param count over 0
     * @param divisor {@code count}, or one less
     */
    public static double variance(
            long count,
            long divisor,
            long sum1,
            long sum0,
            long square3,
            long square2,
            long square1,
            long square0) {
        if (count <= 0 || divisor <= 0) {
            return 0; // the caller has made it NULL
        }
        double spread =
                square3 == 0 && square2 == 0 && count < MOST
                        ? spread(count, (sum1 << HALF) + sum0, square1, square0)
                        : spread(count, sum1, sum0, square3, square2, square1, square0)
                                .doubleValue();
        return spread / ((double) count * divisor);
    }

    /** Returns count · Σx² − (Σx)² in 128 bits; never negative. */
    private static double spread(long count, long sum, long square1, long square0) {
        long upper = square1 << HALF;
        long low = upper + square0;
        long high = (square1 >>> HALF) + (Long.compareUnsigned(low, upper) < 0 ? 1 : 0);
        long left = count * low;
        long leftHigh = count * high + Math.multiplyHigh(count, low) + (low < 0 ? count : 0);
        long right = sum * sum;
        long borrow = Long.compareUnsigned(left, right) < 0 ? 1 : 0;
        return unsigned(leftHigh - Math.multiplyHigh(sum, sum) - borrow, left - right);
    }

    /** Returns the nearest double of 128 bits whose highest bit is 0. */
    private static double unsigned(long high, long low) {
        if (high == 0 && low >= 0) {
            return low;
        }
        int shift = Long.SIZE - Long.numberOfLeadingZeros(high);
        long top = shift == 0 ? low : high << (Long.SIZE - shift) | low >>> shift;
        boolean rest = shift > 0 && low << (Long.SIZE - shift) != 0;
        long rounded = top >>> 1 | top & 1 | (rest ? 1 : 0);
        return Math.scalb((double) rounded, shift + 1);
    }

    static BigInteger spread(
            long count,
            long sum1,
            long sum0,
            long square3,
            long square2,
            long square1,
            long square0) {
        BigInteger sum = joined(sum1, sum0);
        BigInteger squares = joined(square3, square2, square1, square0);
        return squares.multiply(BigInteger.valueOf(count)).subtract(sum.multiply(sum));
    }

    private static BigInteger joined(long... parts) {
        BigInteger joined = BigInteger.ZERO;
        for (long part : parts) {
            joined = joined.shiftLeft(HALF).add(BigInteger.valueOf(part));
        }
        return joined;
    }
}
