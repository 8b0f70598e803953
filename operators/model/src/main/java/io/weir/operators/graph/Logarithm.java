package io.weir.operators.graph;

/** Logarithms that Java lacks; generated code calls them. */
public final class Logarithm {
    private static final double LN_2 = Math.log(2);

    private Logarithm() {}

    /** To base 2. Exact for powers of 2: a quotient of natural logarithms is not (2^29). */
    public static double base2(double value) {
        int exponent = Math.getExponent(value);
        boolean normal = value >= Double.MIN_NORMAL && exponent <= Double.MAX_EXPONENT;
        if (normal) {
            return exponent + Math.log(Math.scalb(value, -exponent)) / LN_2;
        }
        boolean subnormal = value > 0 && value < Double.MIN_NORMAL;
        return subnormal ? base2(value * 0x1p53) - 53 : Math.log(value);
    }
}
