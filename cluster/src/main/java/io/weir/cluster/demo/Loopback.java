package io.weir.cluster.demo;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of the loopback. */
public final class Loopback {
    private Loopback() {}

    /** Ports that nobody listened on a moment ago, each another one. */
    public static List<Integer> freePorts(int count) {
        List<ServerSocket> open = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                open.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return open.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new WeirException(ErrorCode.INTERNAL, "no port is free: " + e.getMessage());
        } finally {
            open.forEach(Loopback::close);
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            return; // it was never connected
        }
    }
}
