package io.weir.operators.graph;

/** Tells generated code whether a result leaves 64 bits. */
public final class Overflow {
    private Overflow() {}

    public static boolean plus(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0;
    }

    public static boolean minus(long a, long b) {
        return ((a ^ b) & (a ^ a - b)) < 0;
    }

    /** The least value has no opposite. */
    public static boolean negate(long a) {
        return a == Long.MIN_VALUE;
    }

    public static boolean divide(long a, long b) {
        return b == -1 && a == Long.MIN_VALUE;
    }

    public static boolean times(long a, long b) {
        return Math.multiplyHigh(a, b) != a * b >> Long.SIZE - 1;
    }
}
