package io.weir.cluster.console;

import io.weir.cluster.server.WeirDriver;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import javax.net.ssl.SSLException;
import sqlline.BuiltInProperty;
import sqlline.DispatchCallback;

/** The SQL console: sqlline, connected to a Weir server. */
public final class Console {
    private final Login login;

    static {
        // sqlline makes a directory for its files when it is loaded. Our files are named one by
        // one.
        System.setProperty("x.sqlline.basedir", ConsoleOptions.folder().toString());
    }

    public Console(Login login) {
        this.login = login;
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
        ConsoleOptions.ownHistory();
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
                    .begin(arguments, null, ConsoleOptions.keepsHistory());
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
        ConsoleOptions.all()
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
}
