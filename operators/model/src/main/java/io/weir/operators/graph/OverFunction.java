package io.weir.operators.graph;

/** A function of OVER. */
public enum OverFunction {
    ROW_NUMBER,
    RANK,
    DENSE_RANK,
    /** The value of an earlier row: its arguments are the value, the distance and the default. */
    LAG,
    /** The value of a later row, with the same arguments. */
    LEAD,
    FIRST_VALUE,
    LAST_VALUE,
    /** The end of a window: the rows of all later ones are remembered. */
    NEW_SINCE,
    COUNT,
    SUM,
    AVG,
    MIN,
    MAX,
    STDDEV,
    STDDEV_POP,
    VARIANCE,
    VAR_POP;

    /** Returns whether its value depends on the place of the row in its partition alone. */
    public boolean isRank() {
        return this == ROW_NUMBER || this == RANK || this == DENSE_RANK;
    }

    /** Returns whether it takes the value of one other row, at a distance. */
    public boolean isShift() {
        return this == LAG || this == LEAD;
    }
}
