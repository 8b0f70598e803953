package io.weir.cluster.security;

/** What a statement may need. */
public enum Right {
    /** SHOW, DESCRIBE, EXPLAIN, and the rows of queries that exist. */
    READ("read the rows of queries"),
    /** A SELECT of one's own over packets. */
    ASK("select from packets"),
    /** Rows that are single packets; see {@link Evidence}. */
    EVIDENCE("see single packets"),
    /** CREATE and DROP. */
    CHANGE("create or drop queries"),
    /** SHOW AUDIT. */
    AUDIT("read the audit");

    private final String doing;

    Right(String doing) {
        this.doing = doing;
    }

    /** As in "may not …". */
    String doing() {
        return doing;
    }
}
