package io.weir.operators.graph;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Writes doubles as the shortest plain decimal that reads back as the same value: {@code 0.1},
 * {@code 12.0}. Beyond 10^±21 it uses scientific notation. (Double.toString of JDK 17 is not always
 * shortest, JDK-4511638.)
 */
public final class DoubleText {
    private static final double EXACT_BOUND = 9.007199254740992E15; // 2^53
    private static final int PLAIN_DIGITS = 21;
    private static final int SURE_DIGITS = 15;

    private DoubleText() {}

    public static String format(double value) {
        if (value == Math.rint(value) && Math.abs(value) < EXACT_BOUND) {
            return (value == 0 ? "0" : Long.toString((long) value)) + ".0";
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value);
        }
        BigDecimal decimal = shortest(value);
        int exponent = decimal.precision() - decimal.scale();
        if (Math.abs(exponent) > PLAIN_DIGITS) {
            return decimal.round(MathContext.UNLIMITED).toString();
        }
        String plain = decimal.toPlainString();
        return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }

    private static BigDecimal shortest(double value) {
        BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        for (int digits = SURE_DIGITS; digits < decimal.precision(); digits++) {
            BigDecimal rounded = decimal.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == value) {
                return rounded.stripTrailingZeros();
            }
        }
        return decimal;
    }
}
