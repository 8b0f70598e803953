package io.weir.operators.error;

/** Stable codes of all errors, in three classes. */
public enum ErrorCode {
    SYNTAX(Kind.USER),
    UNKNOWN_COLUMN(Kind.USER),
    UNKNOWN_STREAM(Kind.USER),
    UNKNOWN_FUNCTION(Kind.USER),
    TYPE_MISMATCH(Kind.USER),
    INVALID_QUERY(Kind.USER),
    NOT_SUPPORTED(Kind.USER),
    DUPLICATE_QUERY(Kind.USER),
    UNKNOWN_QUERY(Kind.USER),
    WHEN_CYCLE(Kind.USER),
    MISSING_PARAMETER(Kind.USER),
    INVALID_OPTION(Kind.USER),
    /** The sources' layouts do not carry a column that the query needs. */
    COLUMN_ABSENT(Kind.USER),
    UNREADABLE_INPUT(Kind.USER),
    NOT_A_CAPTURE(Kind.USER),
    /** A source that was there is not there now. It may come back, as an interface does. */
    SOURCE_GONE(Kind.RESOURCE),
    UNWRITABLE_OUTPUT(Kind.USER),
    /** The user's roles do not allow it. */
    NOT_ALLOWED(Kind.USER),
    /** User or password are wrong, or missing. */
    NOT_AUTHENTICATED(Kind.USER),
    OUT_OF_NATIVE_MEMORY(Kind.RESOURCE),
    /** A query's groups outgrew its budget, and it said on_overflow = 'fail'. */
    BUDGET_EXCEEDED(Kind.RESOURCE),
    TOO_MANY_QUERIES(Kind.RESOURCE),
    /** Queries have more distinct strings than there is room for. */
    TOO_MANY_STRINGS(Kind.USER),
    /** The rows of a tested query are not those that it should have. */
    TEST_FAILED(Kind.USER),
    /** Received bytes are not what they should be. */
    MALFORMED_BYTES(Kind.INTERNAL),
    /**
     * Received bytes are from another version of a query, or of Weir, that this one cannot read.
     */
    OTHER_VERSION(Kind.INTERNAL),
    /** Kafka does not answer, or does not admit Weir. */
    KAFKA_UNAVAILABLE(Kind.RESOURCE),
    INTERNAL(Kind.INTERNAL);

    /** The class of an error: who must act on it. */
    public enum Kind {
        USER,
        INTERNAL,
        RESOURCE
    }

    private final Kind kind;

    ErrorCode(Kind kind) {
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
