package io.weir.operators.graph;

/** Whether a result leaves 64 bits; generated code calls it. */
public final class Overflow {
    private Overflow() {}

    public static boolean plus(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0;
    }

    public static boolean minus(long a, long b) {
        return ((a ^ b) & (a ^ a - b)) < 0;
    }

    public static boolean times(long a, long b) {
        return Math.multiplyHigh(a, b) != a * b >> Long.SIZE - 1;
    }
}
