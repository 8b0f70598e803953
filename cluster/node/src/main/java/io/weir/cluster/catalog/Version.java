package io.weir.cluster.catalog;

/** The version that Weir, its server, its driver and its records report. */
public final class Version {
    public static final int MAJOR = 0;
    public static final int MINOR = 1;
    public static final String TEXT = MAJOR + "." + MINOR;

    private Version() {}
}
