package io.weir.cluster.console;

import io.weir.cluster.disk.OwnFiles;
import io.weir.cluster.server.WeirDriver;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import sqlline.BuiltInProperty;
import sqlline.DispatchCallback;

/** The SQL console: sqlline, connected to a Weir server. */
public final class Console {
    /** The rows that give the widths of a table's columns. */
    private static final String WIDTH_ROWS = "200";

    /** Tables are not cut at the terminal's width, because cut text cannot be seen at all. */
    private static final String WIDEST = "100000";

    /** The line editor's history file if no history is kept. */
    private static final Path NO_HISTORY = Path.of("/dev/null");

    private final Login login;

    static {
        // sqlline makes a directory for its files when it is loaded. Our files are named one by
        // one.
        System.setProperty(
                "x.sqlline.basedir", home().map(Path::toString).orElse(temporary().toString()));
    }

    public Console(Login login) {
        this.login = login;
    }

    private static Optional<Path> home() {
        String home = System.getenv("HOME");
        return Optional.ofNullable(home)
                .filter(text -> !text.isEmpty())
                .map(Path::of)
                .filter(Files::isWritable);
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static Optional<Path> history() {
        return home().map(path -> path.resolve(".weir_history"));
    }

    /** Statements are private, so only the owner may read the file. */
    private static void ownHistory() throws IOException {
        if (history().isPresent()) {
            OwnFiles.file(history().get());
        }
    }

    /** Fails, in one sentence, if no server answers: sqlline would continue without one. */
    private void checkServer() {
        try (Connection connection = login.connect()) {
            connection.getMetaData();
        } catch (SQLException e) {
            boolean ours = login.server().startsWith("jdbc:weir://");
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    ours
                            ? e.getMessage()
                            : login.server() + " is not of the form jdbc:weir://host[:port]",
                    isOfTls(e)
                            ? "--trust FILE names the certificates to trust; the URL's host must be"
                                    + " in the server's certificate"
                            : "weir server prints its URL when it starts; give --user NAME if it has"
                                    + " users");
        }
    }

    private static boolean isOfTls(Throwable error) {
        return error instanceof SSLException
                || error.getCause() != null && isOfTls(error.getCause());
    }

    /** Runs with a person at the terminal. Returns when they have finished. */
    public void interactive() throws IOException, SQLException {
        checkServer();
        ownHistory();
        String[] arguments = {
            "-ac",
            ConsoleApplication.class.getName(),
            "-d",
            WeirDriver.class.getName(),
            "-u",
            login.consoleUrl(),
            "-n",
            "",
            "-p",
            ""
        };
        DriverManager.registerDriver(login);
        try (ServerNames names = new ServerNames(login)) {
            new ConsoleLine(names, login.held(), login::isLive)
                    .begin(arguments, null, home().isPresent());
        } finally {
            DriverManager.deregisterDriver(login);
        }
    }

    /**
     * Runs a script, each statement as soon as it is there, up to the first that fails: rows to
     * {@code out}, errors to {@code err}.
     *
     * @return whether all statements succeeded
     */
    public boolean script(InputStream in, OutputStream out, PrintStream err)
            throws IOException, SQLException {
        checkServer();
        DriverManager.registerDriver(login);
        try {
            return connected(in, out, err);
        } finally {
            DriverManager.deregisterDriver(login);
        }
    }

    private boolean connected(InputStream in, OutputStream out, PrintStream err)
            throws IOException {
        ConsoleLine line = new ConsoleLine(List::of, login.held(), login::isLive);
        ScriptOutput output = new ScriptOutput(out);
        line.setOutputStream(output);
        line.setErrorStream(err);
        options()
                .forEach((option, value) -> line.getOpts().set(option.propertyName(), value, true));
        line.updateCommandHandlers(ConsoleApplication.offered(line.getCommandHandlers()));
        line.getOpts().set(BuiltInProperty.SILENT, "true");
        line.getOpts().set(BuiltInProperty.FORCE, "true");
        Script script = new Script(line, DispatchCallback::new);
        connect(script);
        boolean succeeded =
                script.run(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
        script.run("!closeall");
        output.check();
        return succeeded;
    }

    private void connect(Script script) {
        String driver = WeirDriver.class.getName();
        if (!script.run("!connect -p driver " + driver + " " + login.consoleUrl() + " \"\" \"\"")) {
            throw new WeirException(ErrorCode.INVALID_OPTION, "no connection to " + login.server());
        }
    }

    /** Returns the options that differ from sqlline's defaults. */
    static Map<BuiltInProperty, String> options() {
        Path history = history().orElse(NO_HISTORY);
        return Map.of(
                BuiltInProperty.PROMPT, "weir> ",
                BuiltInProperty.CSV_QUOTE_CHARACTER, "\"",
                BuiltInProperty.HISTORY_FILE, history.toString(),
                BuiltInProperty.ISOLATION, "TRANSACTION_NONE",
                BuiltInProperty.HEADER_INTERVAL, "-1",
                BuiltInProperty.MAX_WIDTH, WIDEST,
                BuiltInProperty.INCREMENTAL_BUFFER_ROWS, WIDTH_ROWS,
                BuiltInProperty.NULL_VALUE, "NULL");
    }
}
