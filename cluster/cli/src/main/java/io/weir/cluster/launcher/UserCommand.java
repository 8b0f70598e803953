package io.weir.cluster.launcher;

import io.weir.cluster.security.Role;
import io.weir.cluster.security.Secrets;
import io.weir.cluster.security.User;
import io.weir.cluster.security.UsersFile;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir user}: the users file of a SQL server. */
@Command(
        name = "user",
        sortOptions = false,
        description = {
            "Writes the users file of a SQL server; one that runs takes changes within a second.",
            "",
            "Roles, several with commas between: viewer reads the rows of queries, analyst also"
                    + " selects from packets and sees single ones, operator creates and drops"
                    + " queries, admin does all and reads the audit."
        },
        footer = {
            "",
            "Examples:",
            "  weir user set alice --role analyst,operator --users users",
            "  weir user remove alice --users users",
            "  weir user list --users users"
        })
final class UserCommand implements Runnable {
    private static final String PASSWORD = LoginOptions.PASSWORD;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "set, remove or list is missing");
    }

    @Command(
            name = "set",
            description = {
                "Adds a user, or gives one other roles and another password.",
                "",
                "The password is asked for; or it is in the environment's "
                        + PASSWORD
                        + ", or in a file."
            })
    void set(
            @Parameters(paramLabel = "NAME", description = "Who it is.") String name,
            @Option(
                            names = "--role",
                            required = true,
                            paramLabel = "ROLE",
                            description = "viewer, analyst, operator, admin.")
                    String roles,
            @Option(names = "--users", required = true, paramLabel = "FILE") Path file,
            @Option(names = "--password-file", paramLabel = "FILE") Path passwordFile) {
        User user = new User(name, Role.parse(roles));
        char[] password =
                Secrets.find(System.getenv(), PASSWORD, Optional.ofNullable(passwordFile))
                        .orElseGet(UserCommand::asked);
        new UsersFile(file).set(user, password);
        Arrays.fill(password, '\0');
    }

    private static char[] asked() {
        Console terminal = System.console();
        if (terminal == null) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "there is no terminal to ask for the password at",
                    "--password-file FILE, or " + PASSWORD + " in the environment");
        }
        char[] first = terminal.readPassword("Password: ");
        char[] again = terminal.readPassword("The same again: ");
        if (first == null || !Arrays.equals(first, again)) {
            throw new WeirException(ErrorCode.INVALID_OPTION, "the two passwords differ");
        }
        return first;
    }

    @Command(name = "remove", description = "Takes a user away.")
    void remove(
            @Parameters(paramLabel = "NAME", description = "Who it is.") String name,
            @Option(names = "--users", required = true, paramLabel = "FILE") Path file) {
        new UsersFile(file).remove(name);
    }

    @Command(name = "list", description = "Names and roles.")
    void list(@Option(names = "--users", required = true, paramLabel = "FILE") Path file) {
        PrintWriter out = spec.commandLine().getOut();
        new UsersFile(file)
                .users()
                .forEach(user -> out.println(user.name() + " " + user.rolesText()));
        out.flush();
    }
}
