package io.weir.operators.function;

import io.weir.operators.error.ErrorCode;

/** An argument has a value that its function does not take. The front end gives it a place. */
public final class BadArgument extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int index;
    private final ErrorCode code;
    private final String hint;

    /**
     * @param index of the argument, from 0
     * @param hint null: the function's form
     */
    public BadArgument(int index, ErrorCode code, String message, String hint) {
        super(message);
        this.index = index;
        this.code = code;
        this.hint = hint;
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
