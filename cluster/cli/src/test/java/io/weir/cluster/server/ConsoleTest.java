package io.weir.cluster.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.console.Console;
import io.weir.cluster.console.Login;
import io.weir.operators.error.WeirException;
import io.weir.testing.Await;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console with a script on its standard input, over a node that knows a few words. */
class ConsoleTest {
    private static final String HELP = "Statements end with ;";

    private final FakeNode node = new FakeNode();
    private final WeirServer server =
            new WeirServer(
                            node,
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            WeirServer.IDLE)
                    .start();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void stop() {
        server.close();
    }

    private boolean run(String script) throws Exception {
        return new Console(Login.none(server.url()))
                .script(
                        new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)),
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void helpOnALineOfItsOwnIsNoPartOfAStatement() throws Exception {
        assertTrue(
                run("-- what is there?\nhelp\nchange;"),
                () -> err.toString(StandardCharsets.UTF_8));
        assertTrue(out.toString(StandardCharsets.UTF_8).startsWith(HELP));
    }

    /** What a file has last does not join onto what comes behind it, whatever ends it. */
    @Test
    void aFileIsAScriptOfItsOwn(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("a b.sql");
        for (String end : List.of("", ";", "\n", ";\nhelp", "; quit; nonsense;")) {
            out.reset();
            Files.writeString(file, "help\nchange;\n-- ;\nshow" + end);
            assertTrue(run("!run '" + file + "'\nhelp\nshow;"), err::toString);
            String answers =
                    out.toString(StandardCharsets.UTF_8)
                            .lines()
                            .map(line -> line.startsWith(HELP) ? "help " : line)
                            .map(line -> line.startsWith("| b") ? "rows " : line)
                            .filter(line -> line.equals("help ") || line.equals("rows "))
                            .collect(Collectors.joining());
            String last = end.contains("help") ? "help " : "";
            assertEquals("help rows " + last + "help rows ", answers, end);
        }
        assertEquals("", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aFileThatFailsEndsTheScript(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("self.sql");
        Files.writeString(file, "!run " + file);
        assertFalse(run("!run " + file + "\nshow;"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("run each other"), err::toString);
        assertFalse(run("!run " + directory.resolve("none.sql") + "\nshow;"));
        assertTrue(
                err.toString(StandardCharsets.UTF_8).contains("there is no file"), err::toString);
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void printsResultsAndNothingElse() throws Exception {
        assertTrue(run("count 2;\n-- a comment\nchange; show;"));
        assertEquals(
                """
                +---+--------------------------------+----------+-------+
                | n |               ts               |   addr   | share |
                +---+--------------------------------+----------+-------+
                | 0 | 2026-11-20T23:40:01.000000005Z | 10.0.0.1 | NULL  |
                | 1 | 2026-11-20T23:40:01.000000005Z | 10.0.0.1 | 0.5   |
                +---+--------------------------------+----------+-------+
                +------+
                | name |
                +------+
                | a    |
                | b    |
                +------+
                """,
                out.toString(StandardCharsets.UTF_8));
        assertEquals("", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void anErrorIsShownAsItStandsAndEndsTheScript() throws Exception {
        assertFalse(run("nonsense; show;"));
        assertEquals("", out.toString(StandardCharsets.UTF_8));
        assertEquals(
                """
                error SYNTAX: no such word (line 1, column 3)
                  nonsense
                    ^
                hint: try show
                """,
                err.toString(StandardCharsets.UTF_8));
    }

    /** As a text that is planned as a whole has it. */
    @Test
    void errorsCountFromTheStartOfTheScript() throws Exception {
        assertFalse(run("change; -- ;\n\n/* 'a */ change;  nonsense; show;"));
        assertEquals(
                """
                error SYNTAX: no such word (line 3, column 21)
                  nonsense
                    ^
                hint: try show
                """,
                err.toString(StandardCharsets.UTF_8));
        err.reset();
        assertFalse(run("\r\nchange;\r\n  'x; change;\r\n"));
        assertEquals(
                """
                error SYNTAX: this string does not end (line 3, column 3)
                  'x; change;
                  ^
                """,
                err.toString(StandardCharsets.UTF_8));
    }

    /** The server gets each statement whole, in order, and nothing that is quoted in it. */
    @Test
    void statementsAreCutAsTheLanguageCutsThem() throws Exception {
        long seed = Long.getLong("weir.seed", 5);
        Random random = new Random(seed);
        List<String> quoted =
                List.of(
                        "'a;b'",
                        "\"!q;\"",
                        "/* x; change; y */",
                        "-- change;\n",
                        "'\n!quit\n;'",
                        "')'",
                        "(",
                        "[",
                        "\\",
                        "# change",
                        "'it''s'",
                        "'--'",
                        "`",
                        "\n!quit;b");
        for (int i = 0; i < 100; i++) {
            List<String> expected = new ArrayList<>();
            StringBuilder script = new StringBuilder(i % 3 == 0 ? "\uFEFF" : "");
            for (int n = random.nextInt(5); n >= 0; n--) {
                StringBuilder statement = new StringBuilder("change x");
                for (int q = random.nextInt(4); q > 0; q--) {
                    statement.append(' ').append(quoted.get(random.nextInt(quoted.size())));
                }
                String text = statement.append(" z").toString().replace("!quit;b", "!quit");
                expected.add(text);
                script.append(text).append(n == 0 && random.nextBoolean() ? "" : ";");
                script.append(random.nextBoolean() ? "\n" : " -- ' ;\n");
            }
            node.texts.clear();
            String shown = "-Dweir.seed=" + seed + " script " + i + ": " + script;
            assertTrue(run(script.toString()), () -> shown + err);
            List<String> got =
                    node.texts.stream().map(t -> t.replaceAll(" -- ' ;\\s*$", "")).toList();
            assertEquals(expected, got, shown);
        }
    }

    @Test
    void anErrorEndsTheScriptEvenInOneLine() throws Exception {
        for (String script :
                List.of(
                        "nonsense; change;",
                        "change; nonsense; change; change;",
                        "!nope\nchange;",
                        "change 'a")) {
            node.changes.set(0);
            assertFalse(run(script), script);
            assertEquals(script.startsWith("change;") ? 1 : 0, node.changes.get(), script);
        }
        assertFalse(run("!sql change; change"));
        assertFalse(run("!all change;"));
    }

    @Test
    void whatIsNoTextIsAnError() throws Exception {
        boolean succeeded =
                new Console(Login.none(server.url()))
                        .script(
                                new ByteArrayInputStream(new byte[] {'a', (byte) 0xff, ';'}),
                                out,
                                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertFalse(succeeded);
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("is not UTF-8 text"), "" + err);
    }

    @Test
    void aFailureInTheMidstOfRowsIsShownToo() throws Exception {
        assertFalse(run("fail;"));
        assertEquals(
                "error UNREADABLE_INPUT: the file went away\n",
                err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aScriptEndsWhereItIsLeft() throws Exception {
        for (String leave : List.of("quit\n", "exit;\nfail;", "!quit\nfail;")) {
            assertTrue(run("show;\n" + leave), err::toString);
        }
        assertEquals("", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void consoleCommandsWork() throws Exception {
        assertTrue(run("!tables\n!outputformat csv\ncount 1;"));
        String text = out.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("packets") && text.contains("numbers"), text);
        assertTrue(
                text.endsWith("\"0\",\"2026-11-20T23:40:01.000000005Z\",\"10.0.0.1\",\"NULL\"\n"),
                text);
    }

    /** The rows of the first statement are there before the second is typed. */
    @Test
    @Timeout(120)
    void eachStatementRunsAsItComes() throws Exception {
        PipedOutputStream typed = new PipedOutputStream();
        PipedInputStream script = new PipedInputStream(typed);
        Thread typist =
                new Thread(
                        () -> {
                            try (typed) {
                                typed.write("show;\n".getBytes(StandardCharsets.UTF_8));
                                typed.flush();
                                awaitShown("| b ");
                                typed.write("nonsense;\n".getBytes(StandardCharsets.UTF_8));
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        });
        typist.start();
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertFalse(new Console(Login.none(server.url())).script(script, out, errors));
        typist.join();
        assertTrue(err.toString(StandardCharsets.UTF_8).startsWith("error SYNTAX"), err::toString);
    }

    private String shown() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private void awaitShown(String text) {
        Await.until(() -> shown().contains(text), this::shown);
    }

    /** Who subscribes sees a row when it is there, though no other comes. */
    @Test
    @Timeout(120)
    void aRowThatComesAloneIsShown() throws Exception {
        Thread reader =
                new Thread(
                        () -> {
                            awaitShown("| 0 ");
                            stop();
                        });
        reader.start();
        run("show; SUBSCRIBE numbers;");
        reader.join();
    }

    @Test
    void noServerIsOneError() {
        Console console = new Console(Login.none("jdbc:weir://127.0.0.1:1"));
        PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertThrows(
                WeirException.class,
                () -> console.script(new ByteArrayInputStream(new byte[0]), out, print));
    }
}
