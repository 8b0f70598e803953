package io.weir.cluster.console;

import io.weir.cluster.sink.OutputClosed;
import io.weir.sql.parse.StatementCutter.Piece;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.Buffer;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jline.reader.Widget;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.utils.AttributedString;
import sqlline.BuiltInProperty;
import sqlline.SqlLine;

/** A sqlline that shows errors as Weir wrote them, and knows the common words for leaving. */
final class ConsoleLine extends SqlLine {
    /** The driver's layers put words before an error that only disturb the user. */
    private static final Pattern ERROR = Pattern.compile("error [A-Z_]+: ");

    /** The error of Ctrl-C if nothing runs. */
    private static final String NOTHING_TO_CANCEL = "error: Statement closed";

    /** SQL's query_canceled. */
    private static final String CANCELLED = "57014";

    private static final Pattern SUBSCRIBE =
            Pattern.compile("\\s*SUBSCRIBE\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** A statement that may read packets for ever. Rows of sys are a snapshot. */
    private static final Pattern SELECT =
            Pattern.compile(
                    "\\s*(SELECT|WITH)\\b(?!.*\\bFROM\\s+sys\\s*\\.).*",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** The place of an error in the text of its statement. */
    private static final Pattern PLACE =
            Pattern.compile("\\A(error .*) \\(line (\\d+), column (\\d+)\\)$", Pattern.MULTILINE);

    private final Supplier<Collection<String>> names;
    private final HeldStatements held;
    private final BooleanSupplier isLive;

    /** The running piece; null before the first. */
    private Piece running;

    private boolean failed;

    /** The user's setting for showing rows one by one, while it is overridden; otherwise null. */
    private Boolean usual;

    ConsoleLine() {
        this(List::of, new HeldStatements(), () -> false);
    }

    /**
     * @param names that Tab offers beside the words of the language
     * @param held takes the statements that will run
     * @param isLive whether packets come to the server, so that a SELECT does not end
     */
    ConsoleLine(Supplier<Collection<String>> names, HeldStatements held, BooleanSupplier isLive) {
        this.names = names;
        this.held = held;
        this.isLive = isLive;
    }

    @Override
    public LineReader getConsoleReader(InputStream in, History history) throws IOException {
        LineReader reader = super.getConsoleReader(in, history);
        before(LineReader.DELETE_CHAR_OR_LIST, reader, ConsoleLine::leaveStatement);
        StatementLines parser = new StatementLines(this);
        if (reader instanceof LineReaderImpl impl) {
            impl.setCompleter(new WordCompleter(impl.getCompleter(), names));
            impl.setParser(parser);
        }
        return TypedLines.of(this, reader, parser);
    }

    /** Changes the typed text before a key has its effect. */
    private static void before(String key, LineReader reader, Consumer<Buffer> action) {
        Widget widget = reader.getWidgets().get(key);
        reader.getWidgets()
                .put(
                        key,
                        () -> {
                            action.accept(reader.getBuffer());
                            return widget.apply();
                        });
    }

    /**
     * Ctrl-D at an empty line of a statement does what Ctrl-C does. With no statement it is the
     * end.
     */
    private static void leaveStatement(Buffer statement) {
        String typed = statement.toString();
        if (statement.cursor() == statement.length() && typed.endsWith("\n")) {
            throw new UserInterruptException(typed);
        }
    }

    /**
     * Sets the next statement. For most statements, many rows give the column widths. Rows of a
     * SUBSCRIBE, and of a SELECT over live packets, are shown one by one, with widths from their
     * types. Otherwise a row a minute would be seen hours later.
     */
    private void next(String statement) {
        boolean oneByOne =
                SUBSCRIBE.matcher(statement).matches()
                        || SELECT.matcher(statement).matches() && isLive.getAsBoolean();
        if (oneByOne && usual == null) {
            usual = getOpts().getIncremental();
            oneByOne(true);
        } else if (!oneByOne && usual != null) {
            oneByOne(usual);
            usual = null;
        }
    }

    private void oneByOne(boolean value) {
        String property = BuiltInProperty.INCREMENTAL.propertyName();
        getOpts().set(property, Boolean.toString(value), true);
    }

    /** Returns sqlline's command for a piece of a script, which is the next to run. */
    String command(Piece piece) {
        String command = PlainCommands.command(piece.text());
        boolean renamed = !command.equals(piece.text());
        running = renamed ? new Piece(command, piece.line(), piece.column()) : piece;
        failed = false;
        if (command.startsWith("!")) {
            return command;
        }
        next(command);
        return held.hold(running);
    }

    /** Returns whether the last piece ended with an error, or was stopped. */
    boolean failed() {
        return failed;
    }

    /** sqlline shows the statement before it runs it. */
    @Override
    public void info(AttributedString text) {
        super.info(held.shown(text.toString()));
    }

    /** sqlline does not say where its commands are listed. */
    @Override
    public boolean error(String text) {
        failed = true;
        return super.error(
                text.startsWith("Unknown command")
                        ? text + "\nhint: help shows the possible input"
                        : text);
    }

    @Override
    public void handleException(Throwable thrown) {
        if (thrown instanceof OutputClosed) {
            return; // the script's end reports it
        }
        Throwable sql = thrown;
        while (sql != null && !(sql instanceof SQLException)) {
            sql = sql.getCause();
        }
        String text = text(sql == null ? thrown : sql);
        if (sql instanceof SQLException said
                && CANCELLED.equals(said.getSQLState())
                && !(sql instanceof SQLTimeoutException)) {
            failed = true;
            output("stopped"); // as the person wanted
        } else if (!text.equals(NOTHING_TO_CANCEL)) {
            error(inScript(text, running));
        }
    }

    /** Counts the place of an error from the script's start, not from its statement's. */
    static String inScript(String error, Piece statement) {
        Matcher place = PLACE.matcher(error);
        if (statement == null || !place.find()) {
            return error;
        }
        int line = Integer.parseInt(place.group(2));
        int column = Integer.parseInt(place.group(3));
        return place.group(1)
                + " (line "
                + (statement.line() + line - 1)
                + ", column "
                + (line == 1 ? statement.column() + column - 1 : column)
                + ")"
                + error.substring(place.end());
    }

    /** Returns the error's own text, without the wrappers' sentences. */
    static String text(Throwable error) {
        String message = error.getMessage() == null ? error.toString() : error.getMessage();
        Matcher matcher = ERROR.matcher(message);
        return matcher.find() ? message.substring(matcher.start()) : "error: " + message;
    }
}
