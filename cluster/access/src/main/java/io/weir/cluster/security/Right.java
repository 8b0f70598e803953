package io.weir.cluster.security;

/** A right that a statement may need. */
public enum Right {
    /** Allows SHOW, DESCRIBE, EXPLAIN, and the rows of existing queries. */
    READ("read the rows of queries"),
    /** Allows a SELECT of one's own over packets. */
    ASK("select from packets"),
    /** Allows rows that are single packets; see {@link Evidence}. */
    EVIDENCE("see single packets"),
    /** Allows CREATE, DROP, PAUSE and RESUME of queries, aggregates and lookup tables. */
    CHANGE("create or drop queries, aggregates or tables"),
    /** Allows CREATE and DROP SOURCE: which traffic of this machine is seen. */
    SOURCES("create or drop sources"),
    /** Allows SHOW AUDIT. */
    AUDIT("read the audit");

    private final String doing;

    Right(String doing) {
        this.doing = doing;
    }

    /** Returns the words after "may not". */
    String doing() {
        return doing;
    }
}
