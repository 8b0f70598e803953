package io.weir.operators.function;

import io.weir.operators.error.ErrorCode;

/** An argument has a value that its function does not take. The front end gives it a place. */
public final class BadArgument extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int WHOLE = -1;

    private final int index;
    private final ErrorCode code;
    private final String hint;

    /**
     * @param index of the argument, from 0; -1: the call as a whole
     * @param hint null: the function's form
     */
    public BadArgument(int index, ErrorCode code, String message, String hint) {
        super(message);
        this.index = index;
        this.code = code;
        this.hint = hint;
    }

    /** The arguments do not fit together. */
    static BadArgument ofCall(String message, String hint) {
        return new BadArgument(WHOLE, ErrorCode.INVALID_QUERY, message, hint);
    }

    public int index() {
        return index;
    }

    public ErrorCode code() {
        return code;
    }

    public String hint() {
        return hint;
    }
}
