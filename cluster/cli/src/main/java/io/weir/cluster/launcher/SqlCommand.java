package io.weir.cluster.launcher;

import io.weir.cluster.console.Console;
import io.weir.cluster.console.Login;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.server.WeirServer;
import io.weir.ingest.capture.CapturePath;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir sql}: the console. */
@Command(
        name = "sql",
        sortOptions = false,
        description = {
            "The SQL console, over capture files or connected to a server.",
            "",
            "Each SELECT over packets replays the files; over a pipe all share its packets. With -e, or where standard input is not a"
                    + " terminal, statements are run and their results printed; the first error"
                    + " ends it."
        },
        footer = {
            "",
            "Examples:",
            "  weir sql --pcap trace.pcap",
            "  weir sql --url jdbc:weir://localhost:9347",
            "  weir sql -e 'DESCRIBE packets'"
        })
final class SqlCommand implements Callable<Integer> {
    private final StandardStreams streams;

    @Spec private CommandSpec command;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {
                "A running server: jdbc:weir://host[:port], with ?tls=true after it where it speaks"
                        + " TLS. Excludes --pcap."
            })
    private String url;

    @Option(
            names = "-e",
            paramLabel = "SQL",
            description = "Statements, separated by semicolons, in place of standard input's.")
    private String sql;

    @Mixin private LoginOptions login = new LoginOptions();

    @Mixin private InputOptions input = new InputOptions();

    @Mixin private TableOptions tables = new TableOptions();

    SqlCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException, SQLException {
        List<SourceSpec> captures = input.sources();
        login.check(url != null, "over capture files you are alone");
        if (url != null) {
            TypedOptions.checkNone(
                    command,
                    input,
                    "and --url exclude each other",
                    "a running server reads its own files");
            TypedOptions.checkNone(
                    command,
                    tables,
                    "and --url exclude each other",
                    "the server has folders of its own");
            char[] password = login.password(SqlCommand::asked);
            return console(new Login(url, login.user(), password, login.trust()));
        }
        checkStandardInput(captures);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EmbeddedNode node = new EmbeddedNode(input.settings(), captures, tables.local());
                WeirServer server = server(node, anyPort)) {
            return console(Login.none(server.url()));
        }
    }

    private static WeirServer server(EmbeddedNode node, InetSocketAddress address) {
        node.open();
        return new WeirServer(node, address, WeirServer.IDLE).start();
    }

    /** Fails where statements and packets would come from one pipe. */
    private void checkStandardInput(List<SourceSpec> sources) {
        SourceSpec standard = SourceSpec.pcap("", CapturePath.STANDARD_INPUT);
        if (sql == null && sources.stream().anyMatch(one -> Sources.isSame(one, standard))) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "statements and packets cannot both come from standard input",
                    "-e SQL, or packets from a named pipe");
        }
    }

    private static char[] asked() {
        char[] password =
                System.console() == null ? null : System.console().readPassword("Password: ");
        if (password == null) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "there is no password",
                    "--password-file FILE, or " + LoginOptions.PASSWORD + " in the environment");
        }
        return password;
    }

    private int console(Login login) throws IOException, SQLException {
        Console console = new Console(login);
        if (sql == null && System.console() != null) {
            console.interactive();
            return ExitCode.OK;
        }
        InputStream statements =
                sql == null
                        ? streams.in()
                        : new ByteArrayInputStream(sql.getBytes(StandardCharsets.UTF_8));
        return console.script(statements, streams.out(), streams.err())
                ? ExitCode.OK
                : ExitCode.FAILED;
    }
}
