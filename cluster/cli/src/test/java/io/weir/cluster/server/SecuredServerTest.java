package io.weir.cluster.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.console.Console;
import io.weir.cluster.console.Login;
import io.weir.cluster.metrics.MeterText;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.security.Access;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.RoleTable;
import io.weir.cluster.security.TestCertificates;
import io.weir.cluster.security.Tls;
import io.weir.cluster.security.User;
import io.weir.cluster.security.Users;
import io.weir.cluster.security.UsersFile;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.WeirException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with users and TLS over a capture: who gets in, and what each role may. */
class SecuredServerTest {
    @TempDir private static Path folder;

    private static TestCertificates certificates;
    private static UsersFile users;
    private static EmbeddedNode node;
    private static WeirServer server;

    @BeforeAll
    static void start() throws Exception {
        certificates = new TestCertificates(folder);
        users = new UsersFile(folder.resolve("users"));
        for (Role role : Role.values()) {
            users.set(new User(role.text(), Set.of(role)), password(role).toCharArray());
        }
        Path pcap = new PcapFile().random(3, 200).write(folder.resolve("a.pcap"));
        node = new EmbeddedNode(NodeSettings.DEFAULT, List.of(SourceSpec.pcap("local", pcap)));
        server = server(Tls.server(certificates.certificate, certificates.key()), loopback());
        try (Connection admin = connect(Role.ADMIN);
                Statement statement = admin.createStatement()) {
            for (String query : RoleTable.QUERIES) {
                statement.executeUpdate(query);
            }
        }
    }

    private static WeirServer server(SSLContext tls, InetSocketAddress address) {
        Access access =
                new Access(Optional.of(new Users(users)), Optional.of(tls), Access.Refusals.UNTOLD);
        return new WeirServer(node, address, WeirServer.IDLE, access).start();
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static String password(Role role) {
        return "pass word:of \"" + role + "\"";
    }

    private static Connection connect(Role role) throws SQLException {
        return connect(role.text(), password(role), certificates.certificate.toString());
    }

    private static Connection connect(String user, String password, String trust)
            throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        if (trust != null) {
            properties.setProperty(WeirDriver.TRUST, trust);
        }
        return DriverManager.getConnection(server.url(), properties);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** What each role may: the table of docs/SECURITY.md. */
    @Test
    void rolesMayWhatTheyMay() throws SQLException {
        for (Role role : Role.values()) {
            try (Connection connection = connect(role);
                    Statement statement = connection.createStatement()) {
                for (Map.Entry<String, Set<Role>> entry : RoleTable.ALLOWED.entrySet()) {
                    boolean done = run(statement, entry.getKey());
                    assertEquals(entry.getValue().contains(role), done, role + ": " + entry);
                }
            }
        }
    }

    /** Grouping what another query passes on does not make groups of single packets any larger. */
    @Test
    void singlePacketsStaySo() throws SQLException {
        for (Role role : Role.values()) {
            try (Connection connection = connect(role);
                    Statement statement = connection.createStatement()) {
                for (Map.Entry<String, Set<Role>> entry : RoleTable.SINGLE_PACKETS.entrySet()) {
                    if (role == Role.VIEWER && entry.getKey().contains("FROM packets")) {
                        continue;
                    }
                    boolean done = run(statement, entry.getKey());
                    assertEquals(entry.getValue().contains(role), done, role + ": " + entry);
                }
            }
        }
    }

    private static boolean run(Statement statement, String sql) throws SQLException {
        try {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    assertTrue(rows.next(), sql);
                }
            }
            return true;
        } catch (SQLException e) {
            assertTrue(e.getMessage().contains("error NOT_ALLOWED: "), e.getMessage());
            assertEquals("42501", e.getSQLState());
            return false;
        }
    }

    @Test
    void strangersStayOut() {
        String trust = certificates.certificate.toString();
        assertRefused("user or password are wrong", () -> connect("admin", "wrong pass", trust));
        assertRefused("user or password are wrong", () -> connect("nobody", "wrong pass", trust));
        assertRefused(
                "user or password are wrong", () -> connect("viewer", password(Role.ADMIN), trust));
        assertRefused("the server wants user and password", () -> connect("", "", trust));
        assertRefused(
                "unable to find valid certification path",
                () -> connect("admin", "wrong pass", null));
        assertRefused(
                "cannot reach",
                () -> DriverManager.getConnection(server.url().replace("?tls=true", "")));
    }

    /** As it waits for a line's end, which the hello of TLS has not. */
    @Test
    void aServerWithoutTlsIsCalledThat() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:weir://localhost:" + silent.getLocalPort() + "?tls=true";
            assertRefused("does not answer in TLS", () -> DriverManager.getConnection(url));
        }
    }

    /** Not at users or the URL. */
    @Test
    void hintsPointAtCertificates() {
        WeirException refused =
                assertThrows(
                        WeirException.class,
                        () ->
                                new Console(Login.none(server.url()))
                                        .script(
                                                InputStream.nullInputStream(),
                                                OutputStream.nullOutputStream(),
                                                System.err));
        assertTrue(
                refused.text().contains("hint: --trust FILE names the certificates"),
                refused.text());
    }

    @FunctionalInterface
    private interface Connecting {
        Connection connect() throws SQLException;
    }

    private static void assertRefused(String expected, Connecting connecting) {
        SQLException e = assertThrows(SQLException.class, () -> connecting.connect().close());
        assertTrue(e.getMessage().contains(expected), e.getMessage());
        assertFalse(e.getMessage().contains("pass w"), e.getMessage());
    }

    /** Without a login, or with a malformed one, there is no answer but 401. */
    @Test
    void rawRequestsAreRefused() throws Exception {
        HttpClient client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(Tls.client(certificates.certificate))
                        .build();
        for (String header : List.of("", "Basic", "Basic !!!", "Basic YQ==", "Bearer YTpi")) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/"))
                            .timeout(Duration.ofMinutes(1))
                            .POST(HttpRequest.BodyPublishers.ofString("x"));
            if (!header.isEmpty()) {
                request.header("Authorization", header);
            }
            HttpResponse<String> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(401, response.statusCode(), header);
        }
    }

    /** However many wrong passwords one client tries, others get in; each is told of. */
    @Test
    void wrongPasswordsKeepNobodyElseOut() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        Access access =
                new Access(
                        Optional.of(new Users(users)),
                        Optional.empty(),
                        (name, address) -> told.add(name + " " + address));
        try (WeirServer open = new WeirServer(node, loopback(), WeirServer.IDLE, access).start()) {
            AtomicBoolean stop = new AtomicBoolean();
            List<Thread> attackers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                attackers.add(new Thread(() -> guess(open.url(), stop)));
            }
            attackers.forEach(Thread::start);
            try {
                Properties right = new Properties();
                right.setProperty("user", Role.VIEWER.text());
                right.setProperty("password", password(Role.VIEWER));
                for (int i = 0; i < 3; i++) {
                    DriverManager.getConnection(open.url(), right).close();
                }
            } finally {
                stop.set(true);
                for (Thread attacker : attackers) {
                    attacker.join();
                }
            }
            assertTrue(told.contains("admin 127.0.0.1"), told.toString());
            String metrics = metrics(open);
            assertTrue(metrics.contains("weir_logins_refused{reason=\"wrong\"}"), metrics);
            assertTrue(metrics.contains("weir_logins_refused{reason=\"busy\"}"), metrics);
        }
    }

    private static String metrics(WeirServer open) {
        return MeterText.nonZero(open::read);
    }

    private static void guess(String url, AtomicBoolean stop) {
        Properties wrong = new Properties();
        wrong.setProperty("user", "admin");
        while (!stop.get()) {
            wrong.setProperty("password", "guess " + System.nanoTime());
            assertThrows(SQLException.class, () -> DriverManager.getConnection(url, wrong));
        }
    }

    @Test
    void theConsoleLogsInAndAKeyStoreServesToo() throws Exception {
        char[] password = TestCertificates.PASSWORD.toCharArray();
        SSLContext tls = Tls.server(certificates.keyStore, password);
        try (WeirServer other = server(tls, loopback())) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            Login login =
                    new Login(
                            other.url(),
                            Optional.of("viewer"),
                            password(Role.VIEWER).toCharArray(),
                            Optional.of(certificates.certificate.toString()));
            boolean succeeded =
                    new Console(login)
                            .script(
                                    new ByteArrayInputStream(
                                            "SELECT COUNT(*) AS n FROM flows_by_source;!list\nDROP QUERY chosen;"
                                                    .getBytes(StandardCharsets.UTF_8)),
                                    out,
                                    new PrintStream(err, true, StandardCharsets.UTF_8));
            assertFalse(succeeded);
            String text = err.toString(StandardCharsets.UTF_8);
            assertEquals(
                    """
                    error NOT_ALLOWED: viewer (viewer) may not create or drop queries, aggregates or tables
                    hint: the role operator or admin may
                    """,
                    text);
            assertTrue(out.toString(StandardCharsets.UTF_8).startsWith("+----+\n| n  |"), "" + out);
            assertFalse(out.toString(StandardCharsets.UTF_8).contains("pass"), "" + out);
        }
    }

    @Test
    void othersThanTheLoopbackTakeUsersAndTls() {
        InetSocketAddress all = new InetSocketAddress("0.0.0.0", 0);
        Access usersOnly =
                new Access(Optional.of(new Users(users)), Optional.empty(), Access.Refusals.UNTOLD);
        for (Access access : List.of(Access.OPEN, usersOnly)) {
            WeirException e =
                    assertThrows(
                            WeirException.class,
                            () -> new WeirServer(node, all, WeirServer.IDLE, access).close());
            assertTrue(e.getMessage().contains("a server on 0.0.0.0 needs "), e.text());
        }
    }

    @Test
    void ofAllAddressesOneIsNamedThatCanBeConnectedTo() throws Exception {
        SSLContext tls = Tls.server(certificates.certificate, certificates.key());
        try (WeirServer all = server(tls, new InetSocketAddress("0.0.0.0", 0))) {
            assertEquals("jdbc:weir://localhost:" + all.port() + "?tls=true", all.url());
        }
    }

    @Test
    void aPasswordIsNotSentInTheClear() {
        Properties properties = new Properties();
        properties.setProperty("user", "a");
        properties.setProperty("password", "wrong pass");
        SQLException e =
                assertThrows(
                        SQLException.class,
                        () -> DriverManager.getConnection("jdbc:weir://192.0.2.1:1", properties));
        assertTrue(e.getMessage().contains("?tls=true"), e.getMessage());
    }
}
