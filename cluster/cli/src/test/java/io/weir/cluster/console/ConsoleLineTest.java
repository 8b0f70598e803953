package io.weir.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.sql.parse.StatementCutter.Piece;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.history.DefaultHistory;
import org.junit.jupiter.api.Test;
import sqlline.SqlLine;

class ConsoleLineTest {
    @Test
    void whatOtherConsolesUnderstandIsTranslated() {
        assertEquals("!help", PlainCommands.command("?"));
        assertEquals("!help", PlainCommands.command("\\h"));
        assertEquals("SHOW STREAMS;", PlainCommands.command("\\dt"));
        assertEquals("DESCRIBE packets;", PlainCommands.command("\\d packets;"));
        assertEquals("DESCRIBE \"A b\";", PlainCommands.command("\\d+ \"A b\""));
        assertEquals("SELECT '\\d' FROM a;", PlainCommands.command("SELECT '\\d' FROM a;"));
    }

    @Test
    void anUnknownCommandDoesNotWaitForASemicolon() {
        assertEquals("!\\l", PlainCommands.command("\\l"));
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        SqlLine line = new ConsoleLine();
        line.setErrorStream(new PrintStream(err, true, StandardCharsets.UTF_8));
        line.error("Unknown command: \\l");
        assertEquals(
                "Unknown command: \\l\nhint: help shows the possible input\n",
                err.toString(StandardCharsets.UTF_8));
    }

    /** Ctrl-C is how one leaves a SUBSCRIBE: no error. */
    @Test
    void whatWasCancelledIsNoError() {
        assertEquals("stopped\n", shown(new SQLException("the statement was cancelled", "57014")));
        assertEquals("error: no\n", shown(new SQLException("no", "57000")));
    }

    private static String shown(SQLException exception) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SqlLine line = new ConsoleLine();
        line.setOutputStream(new PrintStream(out, true, StandardCharsets.UTF_8));
        line.setErrorStream(new PrintStream(out, true, StandardCharsets.UTF_8));
        line.handleException(exception);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLineIsRunStatementByStatement() throws Exception {
        LineReader reader = reader("help\rSELECT 'a;\r!b'; /* ; */ -- ;\r");
        assertEquals("!help", reader.readLine("> "));
        assertEquals("statement 1", reader.readLine("> "));
        LineReader two = reader("SELECT (; SELECT \\; \"\r\";\r");
        assertEquals("statement 1", two.readLine("> "));
        assertEquals("statement 2", two.readLine("> "));
        assertEquals("statement 3", two.readLine("> "));
    }

    @Test
    void errorsCountFromTheFirstLine() {
        Piece third = new Piece("x", 7, 5);
        String error = "error SYNTAX: no (line 2, column 3)\n  (line 1, column 1)";
        assertEquals(
                "error SYNTAX: no (line 8, column 3)\n  (line 1, column 1)",
                ConsoleLine.inScript(error, third));
        assertEquals(
                "error SYNTAX: no (line 7, column 7)",
                ConsoleLine.inScript("error SYNTAX: no (line 1, column 3)", third));
        assertEquals("error INTERNAL: no", ConsoleLine.inScript("error INTERNAL: no", third));
    }

    @Test
    void theEndOfInputLeavesAStatementFirst() throws Exception {
        LineReader reader = reader("SELECT 1\r\u0004");
        assertThrows(UserInterruptException.class, () -> reader.readLine("> "));
        LineReader empty = reader("\u0004");
        assertThrows(EndOfFileException.class, () -> empty.readLine("> "));
    }

    private static LineReader reader(String keys) throws Exception {
        ConsoleLine line = new ConsoleLine();
        line.setOutputStream(new ByteArrayOutputStream());
        byte[] typed = keys.getBytes(StandardCharsets.UTF_8);
        LineReader reader =
                line.getConsoleReader(new ByteArrayInputStream(typed), new DefaultHistory());
        reader.variable(LineReader.DISABLE_HISTORY, true);
        return reader;
    }
}
