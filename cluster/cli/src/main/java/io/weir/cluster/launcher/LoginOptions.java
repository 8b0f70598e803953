package io.weir.cluster.launcher;

import io.weir.cluster.security.Secrets;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * The options for logging in to SQL servers, and for trusted certificates; the same for all
 * commands that connect.
 */
final class LoginOptions {
    static final String PASSWORD = "WEIR_PASSWORD";

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = {
                "Who you are at the server. The password is in the environment's "
                        + PASSWORD
                        + ", or in a file; else a terminal is asked for it by the console."
            })
    private String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "The file with the password.")
    private Path passwordFile;

    @Option(
            names = "--trust",
            paramLabel = "FILE",
            description = {
                "Certificates to believe of servers that speak TLS, PEM or a key store, where those"
                        + " that Java knows will not do."
            })
    private Path trust;

    /**
     * Fails if they were given without a server.
     *
     * @param why the error's text if there is no server
     * @throws WeirException INVALID_OPTION
     */
    void check(boolean server, String why) {
        if (!server && (user != null || passwordFile != null || trust != null)) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--user, --password-file and --trust go with --url",
                    why);
        } else if (user == null && passwordFile != null) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "--password-file goes with --user NAME");
        }
    }

    Optional<String> user() {
        return Optional.ofNullable(user);
    }

    /**
     * Returns the user's password; none without a user.
     *
     * @param otherwise gives it if it is neither in the environment nor in a file
     */
    char[] password(Supplier<char[]> otherwise) {
        return user == null
                ? new char[0]
                : Secrets.find(System.getenv(), PASSWORD, Optional.ofNullable(passwordFile))
                        .orElseGet(otherwise);
    }

    Optional<String> trust() {
        return Optional.ofNullable(trust).map(Path::toString);
    }
}
