package io.weir.operators.function;

/** The place that a function can have in SQL. */
public enum Role {
    /** A value of one row. */
    SCALAR,
    /** A value of a group of rows. */
    AGGREGATE,
    /** A value of a group whose rows come in order: the 5-tuple must be in the key. */
    ORDERED,
    /** An approximate value of a group, by a sketch. */
    APPROXIMATE,
    /** A window of time, in GROUP BY, or one of its ends. */
    WINDOW,
    /** A value of a row among others: OVER follows. */
    OVER;

    public boolean isAggregate() {
        return this == AGGREGATE || this == ORDERED || this == APPROXIMATE;
    }
}
