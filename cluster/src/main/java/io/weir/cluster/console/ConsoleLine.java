package io.weir.cluster.console;

import io.weir.cluster.sink.OutputClosed;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
import sqlline.BuiltInProperty;
import sqlline.SqlLine;

/** sqlline that shows errors as Weir wrote them, and knows the words people leave it by. */
final class ConsoleLine extends SqlLine {
    /** What the driver's layers put before an error is noise to the person who typed the query. */
    private static final Pattern ERROR = Pattern.compile("error [A-Z_]+: ");

    /** What becomes of Ctrl-C where nothing runs. */
    private static final String NOTHING_TO_CANCEL = "error: Statement closed";

    /** SQL's query_canceled. */
    private static final String CANCELLED = "57014";

    private static final Pattern DESCRIBED = Pattern.compile("\\\\d\\+?\\s+([^;]+?)\\s*;?");

    /** What other consoles understand without a semicolon, and what it is called here. */
    private static final Map<String, String> PLAIN_WORDS =
            Map.of(
                    "help", "!help",
                    "?", "!help",
                    "\\?", "!help",
                    "\\h", "!help",
                    "quit", "!quit",
                    "exit", "!quit",
                    "\\q", "!quit",
                    "\\d", "SHOW STREAMS;",
                    "\\dt", "SHOW STREAMS;");

    private static final Pattern SUBSCRIBE =
            Pattern.compile("\\s*SUBSCRIBE\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Supplier<Collection<String>> names;

    /** Whether rows are shown one by one otherwise, while they are; else null. */
    private Boolean usual;

    ConsoleLine() {
        this(List::of);
    }

    /**
     * @param names that Tab offers beside the words of the language
     */
    ConsoleLine(Supplier<Collection<String>> names) {
        this.names = names;
    }

    @Override
    public LineReader getConsoleReader(InputStream in, History history) throws IOException {
        LineReader reader = super.getConsoleReader(in, history);
        before(LineReader.ACCEPT_LINE, reader, this::accept);
        before(LineReader.DELETE_CHAR_OR_LIST, reader, ConsoleLine::leaveStatement);
        if (reader instanceof LineReaderImpl impl) {
            impl.setCompleter(new WordCompleter(impl.getCompleter(), names));
        }
        return reader;
    }

    /** Does something to what was typed before a key does what it does. */
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

    /** Ctrl-D at an empty line of a statement: as Ctrl-C does. With no statement it is the end. */
    private static void leaveStatement(Buffer statement) {
        String typed = statement.toString();
        if (statement.cursor() == statement.length() && typed.endsWith("\n")) {
            throw new UserInterruptException(typed);
        }
    }

    /**
     * Is told what runs next. Of most statements many rows tell how wide columns are; those that
     * come when there is news are shown one by one, as wide as their types ask for, or a row a
     * minute would be seen hours later.
     */
    void next(String statement) {
        boolean oneByOne = SUBSCRIBE.matcher(statement).matches();
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

    private void accept(Buffer line) {
        translate(line);
        next(line.toString());
    }

    private static void translate(Buffer line) {
        String typed = line.toString();
        String command = command(typed);
        if (!command.equals(typed)) {
            line.clear();
            line.write(command);
        }
    }

    /** What a line is called here: itself, if it is none of the plain words. */
    static String command(String line) {
        String word = line.strip().replaceFirst(";$", "").toLowerCase(Locale.ROOT);
        Matcher described = DESCRIBED.matcher(line.strip());
        if (described.matches()) {
            return "DESCRIBE " + described.group(1) + ";";
        }
        // No statement begins with it: it would wait for its semicolon.
        String otherwise = word.startsWith("\\") ? "!" + line.strip() : line;
        return PLAIN_WORDS.getOrDefault(word, otherwise);
    }

    /** Whether a line of a script is a whole command, though it has no semicolon. */
    static boolean endsWithItsLine(String line) {
        return line.indexOf(';') < 0 && !command(line).equals(line);
    }

    /** sqlline does not say where commands are told. */
    @Override
    public boolean error(String text) {
        return super.error(
                text.startsWith("Unknown command")
                        ? text + "\nhint: help shows what can be typed"
                        : text);
    }

    @Override
    public void handleException(Throwable thrown) {
        if (thrown instanceof OutputClosed) {
            return; // the script's end tells of it
        }
        Throwable sql = thrown;
        while (sql != null && !(sql instanceof SQLException)) {
            sql = sql.getCause();
        }
        String text = text(sql == null ? thrown : sql);
        if (sql instanceof SQLException said && CANCELLED.equals(said.getSQLState())) {
            output("stopped"); // as the person wanted
        } else if (!text.equals(NOTHING_TO_CANCEL)) {
            error(text);
        }
    }

    /** The error's own text, without the wrappers' sentences. */
    static String text(Throwable error) {
        String message = error.getMessage() == null ? error.toString() : error.getMessage();
        Matcher matcher = ERROR.matcher(message);
        return matcher.find() ? message.substring(matcher.start()) : "error: " + message;
    }
}
