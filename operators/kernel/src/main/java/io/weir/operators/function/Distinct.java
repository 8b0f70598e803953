package io.weir.operators.function;

/** Tells how an aggregate takes DISTINCT before its arguments. */
public enum Distinct {
    /** The front end refuses it. */
    REFUSED,
    /** It changes nothing, because a row that comes again changes nothing: MIN. */
    CHANGES_NOTHING,
    /** The aggregate takes each tuple of arguments once: COUNT. */
    TAKEN
}
