package io.weir.cluster.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.PcapFile;
import io.weir.ingest.source.SourceSpec;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Avatica's own driver, with no class of Weir's on its path, and the URL that the page has. */
class StockAvaticaTest {
    private static final Pattern OF_PAGE =
            Pattern.compile(
                    "`(org\\.apache\\.calcite\\.avatica\\S+)`; `(jdbc:avatica:\\S+:)9347(;\\S+)`");

    @TempDir private Path folder;

    /** All that the tests have from others, by a loader that knows the JDK beside it. */
    private static URLClassLoader stock() throws MalformedURLException {
        List<URL> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (entry.endsWith(".jar") && !path.getFileName().toString().startsWith("weir")) {
                jars.add(path.toUri().toURL());
            }
        }
        return new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void itReadsRowsByTheDocumentedUrl() throws Exception {
        Matcher page =
                OF_PAGE.matcher(Files.readString(Path.of("..", "..", "docs", "COMMANDS.md")));
        assertTrue(page.find(), "the page has no URL of Avatica's");
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        PcapFile packets = new PcapFile();
        for (int i = 0; i < 12; i++) {
            packets.udp(i, 1, 2, 53 + i % 3, 100);
        }
        Path capture = packets.write(folder.resolve("twelve.pcap"));
        EmbeddedNode node =
                new EmbeddedNode(NodeSettings.DEFAULT, List.of(SourceSpec.pcap("local", capture)));
        try (WeirServer server = new WeirServer(node, any, WeirServer.IDLE).start();
                URLClassLoader stock = stock()) {
            assertThrows(
                    ClassNotFoundException.class,
                    () -> stock.loadClass(WeirDriver.class.getName()));
            String port = server.url().replaceAll(".*:(\\d+).*", "$1");
            Driver driver =
                    (Driver) stock.loadClass(page.group(1)).getDeclaredConstructor().newInstance();
            try (Connection connection =
                    driver.connect(page.group(2) + port + page.group(3), new Properties())) {
                check(connection);
            }
        }
    }

    private static void check(Connection connection) throws Exception {
        String sql =
                "SELECT dst_port, COUNT(*) AS n, SUM(bytes) AS bytes FROM packets"
                        + " WHERE dst_port > ? GROUP BY dst_port ORDER BY dst_port";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, 53);
            try (ResultSet rows = statement.executeQuery()) {
                for (int port = 54; port <= 55; port++) {
                    assertTrue(rows.next());
                    assertEquals(port, rows.getInt("dst_port"));
                    assertEquals(4, rows.getLong("n"));
                    assertEquals(400, rows.getLong(3));
                }
                assertFalse(rows.next());
            }
        }
    }
}
