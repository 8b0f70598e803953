package io.weir.cluster.node;

import io.weir.cluster.server.WeirServer;
import io.weir.ingest.source.SourceSpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A server over one capture of random packets, and a connection to it. */
record CaptureServer(WeirServer server, Connection connection) implements AutoCloseable {
    static CaptureServer start(Path folder, long seed, int packets, Shape shape)
            throws SQLException {
        Path pcap = new PcapFile().random(seed, packets).write(folder.resolve("a.pcap"));
        List<SourceSpec> captures = List.of(SourceSpec.pcap("local", pcap));
        NodeSettings standard = NodeSettings.DEFAULT;
        NodeSettings settings =
                new NodeSettings(shape, standard.lateness(), standard.cache(), standard.threads());
        EmbeddedNode node = new EmbeddedNode(settings, captures);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        WeirServer server = new WeirServer(node, any, WeirServer.IDLE).start();
        return new CaptureServer(server, DriverManager.getConnection(server.url()));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.close();
    }
}
