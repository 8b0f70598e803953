package io.weir.bench.generate;

/**
 * Draws ranks 0 … n-1 with probability proportional to 1 / (rank + 1)^exponent, in constant time
 * and memory: W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone
 * discrete distributions" (ACM TOMACS 6(3), 1996). Immutable.
 */
final class Zipf {
    private static final double NEAR_ONE = 1e-9;

    private final int ranks;
    private final double exponent;
    private final double areaOfFirst;
    private final double area;
    private final double sureWidth;

    /**
     * @param ranks over 0
     * @param exponent over 0; 1 is the classical law
     */
    Zipf(int ranks, double exponent) {
        if (ranks < 1 || !(exponent > 0)) {
            throw new IllegalArgumentException(ranks + " ranks, exponent " + exponent);
        }
        this.ranks = ranks;
        this.exponent = exponent;
        areaOfFirst = integral(1.5) - 1;
        area = integral(ranks + 0.5) - areaOfFirst;
        sureWidth = 2 - inverse(integral(2.5) - Math.pow(2, -exponent));
    }

    int draw(SplitMix random) {
        while (true) {
            double u = areaOfFirst + random.nextDouble() * area;
            double x = inverse(u);
            double k = Math.min(Math.max(Math.rint(x), 1), ranks);
            if (k - x <= sureWidth || u >= integral(k + 0.5) - Math.pow(k, -exponent)) {
                return (int) k - 1;
            }
        }
    }

    /** Integral of x^-exponent, up to a constant. */
    private double integral(double x) {
        if (Math.abs(exponent - 1) < NEAR_ONE) {
            return Math.log(x);
        }
        return (Math.pow(x, 1 - exponent) - 1) / (1 - exponent);
    }

    private double inverse(double y) {
        if (Math.abs(exponent - 1) < NEAR_ONE) {
            return Math.exp(y);
        }
        return Math.pow(1 + y * (1 - exponent), 1 / (1 - exponent));
    }
}
