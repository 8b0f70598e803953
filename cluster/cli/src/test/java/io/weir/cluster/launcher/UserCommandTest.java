package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir user}, and the options of a server and a console that secrets come by. */
class UserCommandTest {
    @TempDir private Path folder;

    @Test
    void usersAreSetListedAndRemoved() throws Exception {
        String users = folder.resolve("users").toString();
        String password = Files.writeString(folder.resolve("p"), "a long secret\n").toString();
        for (String user : new String[] {"bob viewer", "alice operator,analyst"}) {
            String[] words = user.split(" ");
            Cli.Result set =
                    Cli.run(
                            "user",
                            "set",
                            words[0],
                            "--role",
                            words[1],
                            "--users",
                            users,
                            "--password-file",
                            password);
            assertEquals(0, set.code(), set.err());
            assertEquals("", set.out() + set.err());
        }
        assertEquals(
                "alice analyst,operator\nbob viewer\n",
                Cli.run("user", "list", "--users", users).out());
        assertEquals(0, Cli.run("user", "remove", "bob", "--users", users).code());
        assertEquals("alice analyst,operator\n", Cli.run("user", "list", "--users", users).out());
        assertFalse(Files.readString(Path.of(users)).contains("secret"));
        assertFails(
                "error INVALID_OPTION: there is no user bob",
                "user",
                "remove",
                "bob",
                "--users",
                users);
        assertFails(
                "error INVALID_OPTION: 'king' is no role",
                "user",
                "set",
                "bob",
                "--role",
                "king",
                "--users",
                users,
                "--password-file",
                password);
        assertFails("error INVALID_OPTION: set, remove or list is missing", "user");
    }

    @Test
    void aServerThatOthersCanReachNeedsUsersAndTls() throws Exception {
        assertFails(
                "error INVALID_OPTION: a server on 0.0.0.0 needs users",
                "server",
                "--host",
                "0.0.0.0",
                "--port",
                "0");
        assertFails(
                "error INVALID_OPTION: --tls-cert and --tls-key go together",
                "server",
                "--tls-cert",
                "a.pem",
                "--port",
                "0");
        assertFails(
                "error INVALID_OPTION: the key store's password is missing",
                "server",
                "--tls-keystore",
                "a.p12",
                "--port",
                "0");
        Path junk = Files.writeString(folder.resolve("junk"), "junk secret");
        assertFails(
                "error INVALID_OPTION: " + junk + " has no key store",
                "server",
                "--port",
                "0",
                "--tls-keystore",
                junk.toString(),
                "--tls-keystore-password-file",
                junk.toString());
        assertFails(
                "error INVALID_OPTION: the users file " + junk + " ",
                "server",
                "--port",
                "0",
                "--users",
                junk.toString());
    }

    @Test
    void aConsoleWithoutAPasswordSaysSo() {
        assertFails(
                "error INVALID_OPTION: there is no password",
                "sql",
                "--url",
                "jdbc:weir://127.0.0.1:1",
                "--user",
                "alice");
        assertFails(
                "error INVALID_OPTION: --user, --password-file and --trust go with --url",
                "sql",
                "--user",
                "alice");
    }

    /** Whoever asks servers refuses what would be ignored. */
    @Test
    void aLoginIsWholeAndForAServer() {
        for (String command : List.of("sql", "doctor")) {
            assertFails(
                    "error INVALID_OPTION: --password-file goes with --user NAME",
                    command,
                    "--url",
                    "jdbc:weir://127.0.0.1:1",
                    "--password-file",
                    "nowhere");
            for (String option : List.of("--user", "--password-file", "--trust")) {
                assertFails(
                        "error INVALID_OPTION: --user, --password-file and --trust go with --url",
                        command,
                        option,
                        "nowhere");
            }
        }
    }

    private static void assertFails(String expected, String... arguments) {
        Cli.Result result = Cli.run(arguments);
        assertEquals(2, result.code(), result.out());
        assertTrue(result.err().startsWith(expected), result.err());
        assertFalse(result.err().contains("secret"), result.err());
    }
}
