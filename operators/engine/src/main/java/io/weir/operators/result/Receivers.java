package io.weir.operators.result;

/** The receivers of an activation's rows. */
public enum Receivers {
    SINKS,
    READERS,
    ALL
}
