package io.weir.operators.kernel;

import io.weir.operators.graph.Kind;
import io.weir.operators.graph.OverFunction;
import io.weir.operators.memory.Memory;
import java.math.BigInteger;

/**
 * The value of an aggregate over the rows of a frame. Whole numbers have exact sums of 128 bits.
 * One thread.
 */
final class OverAggregate {
    /** A column that is not there: COUNT(*). */
    static final int NONE = -1;

    private final OverFunction function;
    private final int column;
    private final boolean real;
    private long count;
    private long low;
    private long high;
    private double sum;
    private double mean;
    private double squares;
    private long extreme;

    OverAggregate(OverFunction function, int column, Kind kind) {
        this.function = function;
        this.column = column;
        real = kind == Kind.DOUBLE;
    }

    void clear() {
        count = 0;
        low = 0;
        high = 0;
        sum = 0;
        mean = 0;
        squares = 0;
    }

    void add(OverValues values, long row) {
        if (column == NONE) {
            count++;
        } else if (!values.isNull(column, row)) {
            count++;
            add(Memory.getLong(values.address(column, row)));
        }
    }

    private void add(long word) {
        switch (function) {
            case MIN, MAX -> extreme = count == 1 || isBetter(word) ? word : extreme;
            case SUM, AVG -> addToSum(word);
            case COUNT -> {}
            default -> addToMoments(real ? Double.longBitsToDouble(word) : word);
        }
    }

    private void addToSum(long word) {
        if (real) {
            sum += Double.longBitsToDouble(word);
            return;
        }
        low += word;
        high += (word >> 63) + (Long.compareUnsigned(low, word) < 0 ? 1 : 0);
    }

    /** Welford's method. */
    private void addToMoments(double value) {
        double from = value - mean;
        mean += from / count;
        squares += from * (value - mean);
    }

    /** Returns whether the word replaces the extreme. NaN does if there is no number. */
    private boolean isBetter(long word) {
        if (!real) {
            return function == OverFunction.MIN ? word < extreme : word > extreme;
        }
        double value = Double.longBitsToDouble(word);
        double old = Double.longBitsToDouble(extreme);
        if (Double.isNaN(value) || Double.isNaN(old)) {
            return !Double.isNaN(value);
        }
        return function == OverFunction.MIN ? value < old : value > old;
    }

    /** Returns whether the value is NULL. */
    boolean isNull() {
        return switch (function) {
            case COUNT -> false;
            case SUM -> count == 0 || !real && high != low >> 63;
            case STDDEV, VARIANCE -> count < 2;
            default -> count == 0;
        };
    }

    /** Returns the word of a value that is not NULL. */
    long word() {
        return switch (function) {
            case COUNT -> count;
            case MIN, MAX -> extreme;
            case SUM -> real ? Double.doubleToRawLongBits(sum + 0.0) : low;
            case AVG -> Double.doubleToRawLongBits(total() / count);
            case VARIANCE -> Double.doubleToRawLongBits(squares / (count - 1));
            case VAR_POP -> Double.doubleToRawLongBits(squares / count);
            case STDDEV -> Double.doubleToRawLongBits(Math.sqrt(squares / (count - 1)));
            case STDDEV_POP -> Double.doubleToRawLongBits(Math.sqrt(squares / count));
            default -> throw new IllegalStateException(function + " is no aggregate");
        };
    }

    private double total() {
        if (real) {
            return sum;
        } else if (high == low >> 63) {
            return low;
        }
        BigInteger lower = new BigInteger(Long.toUnsignedString(low));
        return BigInteger.valueOf(high).shiftLeft(Long.SIZE).add(lower).doubleValue();
    }
}
