package io.weir.cluster.server;

/** What the server and the driver say they are. */
final class Version {
    static final int MAJOR = 0;
    static final int MINOR = 1;
    static final String TEXT = MAJOR + "." + MINOR;

    private Version() {}
}
