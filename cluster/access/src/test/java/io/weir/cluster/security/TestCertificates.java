package io.weir.cluster.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A server's certificate for the loopback, signed by itself, made with the JDK's keytool. */
public final class TestCertificates {
    public static final String PASSWORD = "keystore-secret";

    /** Key and certificate, PKCS #12. */
    public final Path keyStore;

    /** The certificate, PEM. */
    public final Path certificate;

    private final Path directory;

    public TestCertificates(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        keyStore = directory.resolve("server.p12");
        certificate = directory.resolve("server.pem");
        keytool(
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "30");
        keytool("-exportcert", "-alias", "server", "-rfc", "-file", certificate.toString());
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", keyStore.toString(), "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", PASSWORD));
        Path said = Files.createTempFile(directory, "keytool", ".txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException("keytool: " + Files.readString(said));
        }
    }

    /** The private key, PEM, PKCS #8. */
    public Path key() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray());
        byte[] key = store.getKey("server", PASSWORD.toCharArray()).getEncoded();
        String text =
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                        + "\n-----END PRIVATE KEY-----\n";
        return Files.write(directory.resolve("server.key"), text.getBytes(StandardCharsets.UTF_8));
    }
}
