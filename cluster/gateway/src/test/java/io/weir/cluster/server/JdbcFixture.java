package io.weir.cluster.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server over a node that produces what each test needs, and a client's connection to it. */
abstract class JdbcFixture {
    final FakeNode node = new FakeNode();
    WeirServer server;
    Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        start(WeirServer.IDLE);
    }

    final void start(Duration idle) throws SQLException {
        server = new WeirServer(node, loopback(0), idle).start();
        connection = DriverManager.getConnection(server.url());
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        server.close();
    }
}
