package io.weir.cluster.launcher;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;

/** Port numbers of options. */
final class Ports {
    private static final int MOST = 65_535;

    private Ports() {}

    /** Fails where there is no such port; 0 stands for any free one. */
    static void check(int port) {
        if (port < 0 || port > MOST) {
            throw new WeirException(ErrorCode.INVALID_OPTION, "there is no port " + port);
        }
    }
}
