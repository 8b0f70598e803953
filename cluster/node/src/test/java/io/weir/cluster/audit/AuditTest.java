package io.weir.cluster.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.Answer;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Type;
import io.weir.operators.time.Clock;
import io.weir.sql.validate.Placeholders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditTest {
    private static final User ADMIN = new User("root", Set.of(Role.ADMIN));
    private static final User VIEWER = new User("eve", Set.of(Role.VIEWER));

    @TempDir private Path folder;

    private EmbeddedNode node() {
        Path pcap = new PcapFile().random(3, 50).write(folder.resolve("a.pcap"));
        return new EmbeddedNode(NodeSettings.DEFAULT, List.of(SourceSpec.pcap("local", pcap)));
    }

    /** Each statement, whatever came of it, in its order, with who and where; also SHOW AUDIT. */
    @Test
    void eachStatementIsNoted() {
        try (AuditFile audit = new AuditFile(folder.resolve("audit"))) {
            EmbeddedNode node =
                    node().withAudit(
                                    new Answer.Texts(
                                            AuditEntry.HEADINGS,
                                            () ->
                                                    audit.last(3).stream()
                                                            .map(AuditEntry::row)
                                                            .toList()));
            AuditedNode audited = new AuditedNode(node, audit, "here:1", Clock.SYSTEM);
            SqlSession admin = audited.session(ADMIN);
            SqlSession viewer = audited.session(VIEWER);
            run(admin, "CREATE QUERY q AS SELECT COUNT(*) AS n FROM packets");
            run(admin, "SELECT n FROM q");
            assertThrows(WeirException.class, () -> run(viewer, "DROP QUERY q"));
            assertThrows(WeirException.class, () -> run(viewer, "SELECT password = 'hush"));
            assertThrows(WeirException.class, () -> run(viewer, "SHOW AUDIT"));
            List<List<String>> shown = run(admin, "SHOW AUDIT");
            assertEquals(
                    List.of("NOT_ALLOWED", "SYNTAX", "NOT_ALLOWED"),
                    shown.stream().map(row -> row.get(3)).toList());
            assertEquals("SELECT password = '***'", shown.get(1).get(5));
            run(admin, "SELECT name FROM sys.queries");
            Placeholders values =
                    Placeholders.of(List.of(new Literal("it's ?", Type.VARCHAR), Literal.of(5L)));
            run(admin.prepare("SELECT n FROM q WHERE '?' <> ? AND n > ?", values));
        }
        try (AuditFile again = new AuditFile(folder.resolve("audit"))) {
            assertEquals(
                    List.of(
                            "root ok CREATE QUERY q AS SELECT COUNT(*) AS n FROM packets",
                            "root begun SELECT n FROM q",
                            "eve NOT_ALLOWED DROP QUERY q",
                            "eve SYNTAX SELECT password = '***'",
                            "eve NOT_ALLOWED SHOW AUDIT",
                            "root ok SHOW AUDIT",
                            "root ok SELECT name FROM sys.queries",
                            "root begun SELECT n FROM q WHERE '?' <> 'it''s ?' AND n > 5"),
                    again.last(100).stream()
                            .peek(e -> assertEquals("here:1", e.server()))
                            .map(e -> e.user() + " " + e.outcome() + " " + e.statement())
                            .toList());
        }
    }

    private static List<List<String>> run(SqlSession session, String sql) {
        return run(session.prepare(sql));
    }

    private static List<List<String>> run(Answer answer) {
        if (answer instanceof Answer.Change change) {
            var unused = change.action().get();
            return List.of();
        } else if (answer instanceof Answer.Texts texts) {
            return texts.rows().get();
        } else if (answer instanceof Answer.Snapshot snapshot) {
            return snapshot.rows().get().stream().map(row -> List.of(row[0].toString())).toList();
        }
        List<List<String>> rows = new ArrayList<>();
        ((Answer.Flow) answer).producer().get().produce(batch -> rows.add(List.of()));
        return rows;
    }

    /** What cannot be noted does not begin; a change that was made says so. */
    @Test
    void withoutANoteNothingBegins() {
        Audit broken =
                new Audit() {
                    @Override
                    public void write(AuditEntry entry) {
                        throw new WeirException(ErrorCode.KAFKA_UNAVAILABLE, "no note today");
                    }

                    @Override
                    public List<AuditEntry> last(int count) {
                        return List.of();
                    }

                    @Override
                    public void close() {}
                };
        SqlSession session = new AuditedNode(node(), broken, "here:1", Clock.SYSTEM).session(ADMIN);
        Answer.Flow flow = (Answer.Flow) session.prepare("SELECT ts FROM packets");
        WeirException e = assertThrows(WeirException.class, () -> flow.producer().get());
        assertEquals("no note today", e.getMessage());
        WeirException made =
                assertThrows(
                        WeirException.class,
                        () -> run(session, "CREATE QUERY q AS SELECT ts FROM packets"));
        assertTrue(made.getMessage().startsWith("the change is made, but"), made.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE SINK s TO 'kafka://bob:hush@host/t' WITH (password = 'hu''sh hush')",
                "X sasl.jaas.config='a \"hush\"'",
                "x (Api_Key => 'hush', secret 'hush', \"my-token\" : 'hush",
                "ALTER USER bob SET PASSWORD TO 'hush'",
            })
    void secretsAreLeftOut(String sql) {
        String noted = Redaction.of(sql);
        assertFalse(noted.contains("hu"), noted);
        assertTrue(noted.contains("***"), noted);
    }

    @Test
    void otherTextStays() {
        String sql = "SELECT a FROM q WHERE node_id = 'Node1' AND b = 'it''s' -- see http://x/y@z";
        assertEquals(sql, Redaction.of(sql));
    }

    /** Any text goes in and out as it is; other bytes are none of ours. */
    @Test
    void entriesAreReadAsTheyWereWritten() {
        long seed = Long.getLong("weir.seed", 20_261_122L);
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(40), 1, 0xD7FF).forEach(text::appendCodePoint);
            AuditEntry entry =
                    new AuditEntry(
                            Instant.ofEpochMilli(random.nextInt()),
                            "s\n",
                            text.toString(),
                            text + "'",
                            "ok",
                            random.nextBoolean()
                                    ? OptionalLong.of(random.nextLong())
                                    : OptionalLong.empty(),
                            random.nextBoolean() ? "" : "192.0.2.7");
            assertEquals(entry, AuditEntry.parse(entry.json()).orElseThrow(), "seed " + seed);
            assertFalse(new String(entry.json(), StandardCharsets.UTF_8).contains("\n"));
        }
        for (String other : List.of("", "[]", "{}", "{\"format\":2}", "{\"format\":1", "hello")) {
            assertTrue(AuditEntry.parse(other.getBytes(StandardCharsets.UTF_8)).isEmpty(), other);
        }
    }

    @Test
    void theFileIsTheOwnersOnly() throws Exception {
        try (AuditFile audit = new AuditFile(folder.resolve("audit"))) {
            audit.write(AuditEntry.refusedLogin(Clock.SYSTEM, "s", "x".repeat(1_000), "192.0.2.7"));
            assertEquals(64, audit.last(1).get(0).user().length());
        }
        assertEquals(
                "[OWNER_READ, OWNER_WRITE]",
                Files.getPosixFilePermissions(folder.resolve("audit")).stream()
                        .sorted()
                        .toList()
                        .toString());
    }
}
