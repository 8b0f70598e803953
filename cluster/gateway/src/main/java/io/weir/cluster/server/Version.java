package io.weir.cluster.server;

/** The version that Weir, its server and its driver report. */
public final class Version {
    static final int MAJOR = 0;
    static final int MINOR = 1;
    public static final String TEXT = MAJOR + "." + MINOR;

    private Version() {}
}
