package io.weir.cluster.launcher;

/** The exit codes of {@code weir}. */
public final class ExitCode {
    /** The command has done its work. */
    public static final int OK = 0;

    /** The command ended with one error on standard error. */
    public static final int FAILED = 2;

    private ExitCode() {}
}
