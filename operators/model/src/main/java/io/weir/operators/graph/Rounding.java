package io.weir.operators.graph;

/** Rounding to decimals, which Java lacks for doubles; generated code calls it. */
public final class Rounding {
    /** A double has no more decimals than these. */
    private static final long MOST_DIGITS = 308;

    /** From here on doubles are whole numbers. */
    private static final double WHOLE = 0x1p52;

    private Rounding() {}

    /**
     * Returns the nearest value with so many digits after the point, halves away from zero.
     *
     * @param digits below 0 they are before the point
     */
    public static double round(double value, long digits) {
        int places = (int) Math.max(-MOST_DIGITS, Math.min(MOST_DIGITS, digits));
        double unit = Math.pow(10, Math.abs(places));
        double scaled = places < 0 ? value / unit : value * unit;
        if (!(Math.abs(scaled) < WHOLE)) {
            return value; // no digits are left to round, also of NaN
        }
        return places < 0 ? whole(scaled) * unit : whole(scaled) / unit;
    }

    /** To add a half first would round up a value just below one. */
    private static double whole(double value) {
        double size = Math.abs(value);
        double floor = Math.floor(size);
        return Math.copySign(size - floor >= 0.5 ? floor + 1 : floor, value);
    }
}
