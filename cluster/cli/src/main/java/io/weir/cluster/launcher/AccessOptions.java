package io.weir.cluster.launcher;

import io.weir.cluster.security.Access;
import io.weir.cluster.security.Secrets;
import io.weir.cluster.security.Tls;
import io.weir.cluster.security.Users;
import io.weir.cluster.security.UsersFile;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/** The options for a SQL server's clients: its users and its encryption. */
final class AccessOptions {
    private static final String STORE_PASSWORD = "WEIR_TLS_KEYSTORE_PASSWORD";

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description = {
                "The file of users, which weir user writes. Without it only this machine can"
                        + " connect, and may do all."
            })
    private Path users;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description =
                    "The server's certificates (PEM), its own first. The server then speaks only TLS.")
    private Path certificates;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "Their private key (PEM, PKCS #8 without a password).")
    private Path key;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = {
                "Or both from a key store (PKCS #12, JKS), whose password is in the environment's "
                        + STORE_PASSWORD
                        + " or in a file."
            })
    private Path keyStore;

    @Option(
            names = "--tls-keystore-password-file",
            paramLabel = "FILE",
            description = "The file that the key store's password is in.")
    private Path keyStorePassword;

    Access access(Map<String, String> environment) {
        return new Access(
                Optional.ofNullable(users).map(f -> new Users(new UsersFile(f))),
                tls(environment),
                Access.Refusals.UNTOLD);
    }

    private Optional<SSLContext> tls(Map<String, String> environment) {
        if (keyStore != null && (certificates != null || key != null)) {
            throw wrong("--tls-keystore and --tls-cert exclude each other");
        } else if ((certificates == null) != (key == null)) {
            throw wrong("--tls-cert and --tls-key go together");
        } else if (keyStore == null && keyStorePassword != null) {
            throw wrong("--tls-keystore-password-file goes with --tls-keystore");
        } else if (certificates != null) {
            return Optional.of(Tls.server(certificates, key));
        } else if (keyStore == null) {
            return Optional.empty();
        }
        char[] password =
                Secrets.find(environment, STORE_PASSWORD, Optional.ofNullable(keyStorePassword))
                        .orElseThrow(
                                () ->
                                        wrong(
                                                "the key store's password is missing: set "
                                                        + STORE_PASSWORD));
        return Optional.of(Tls.server(keyStore, password));
    }

    private static WeirException wrong(String message) {
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                message,
                "docs/SECURITY.md shows how a server is secured");
    }
}
