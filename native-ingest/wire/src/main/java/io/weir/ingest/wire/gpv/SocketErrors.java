package io.weir.ingest.wire.gpv;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;

/** Errors of the kernel's sockets, for the user. */
final class SocketErrors {
    private static final int EACCES = 13;
    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;

    private SocketErrors() {}

    static WeirException cannotListen(Network listen, int port, int error) {
        String where = GpvUdpFactory.SCHEME + ":" + listen.address() + ":" + port;
        return switch (error) {
            case EADDRINUSE ->
                    unreadable(
                            where + ": the port is busy",
                            "another program has it: ss -lunp 'sport = :" + port + "'");
            case EADDRNOTAVAIL ->
                    unreadable(where + ": this machine has no such address", "ip address");
            case EACCES ->
                    unreadable(
                            where + ": no permission to bind this port",
                            "ports below 1024 need the capability net_bind_service");
            default -> unreadable(where + ": no socket: error " + error + " of the kernel", null);
        };
    }

    static WeirException cannotReceive(int error) {
        return unreadable("a socket of blocks failed: error " + error + " of the kernel", null);
    }

    private static WeirException unreadable(String what, String hint) {
        return new WeirException(ErrorCode.UNREADABLE_INPUT, what, hint);
    }
}
