package io.weir.cluster.security;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * Makes TLS settings from files: a server's certificate, and the certificates that a client trusts.
 * Errors name files, no secrets.
 */
public final class Tls {
    private static final char[] NO_PASSWORD = new char[0];
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private Tls() {}

    /**
     * Makes a server's settings from a key store, PKCS #12 or JKS, with one key under the store's
     * password.
     */
    public static SSLContext server(Path keyStore, char[] password) {
        try (InputStream in = Files.newInputStream(keyStore)) {
            KeyStore store = KeyStore.getInstance("PKCS12"); // the JDK reads JKS too
            store.load(in, password);
            return server(store, password);
        } catch (IOException | GeneralSecurityException e) {
            throw unusable(keyStore, "key store, with this password", e);
        }
    }

    /**
     * Makes a server's settings from PEM files.
     *
     * @param certificates its own first, then those up to the one that clients know
     * @param key PKCS #8, not encrypted
     */
    public static SSLContext server(Path certificates, Path key) {
        Certificate[] chain = certificates(certificates).toArray(Certificate[]::new);
        try {
            KeyStore store = empty();
            store.setKeyEntry("weir", Pem.privateKey(Files.readString(key)), NO_PASSWORD, chain);
            return server(store, NO_PASSWORD);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(key, "private key of these certificates", e);
        }
    }

    private static SSLContext server(KeyStore store, char[] password)
            throws GeneralSecurityException {
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /**
     * Makes a client's settings. It trusts the certificates of a PEM file, or of a key store with
     * an empty password or none, and those that they have signed.
     */
    public static SSLContext client(Path trusted) {
        try {
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(isPem(trusted) ? trusting(certificates(trusted)) : loaded(trusted));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw unusable(trusted, "certificates to trust", e);
        }
    }

    private static boolean isPem(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .contains("-----BEGIN CERTIFICATE-----");
    }

    private static KeyStore trusting(Collection<? extends Certificate> certificates)
            throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        int number = 0;
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("trusted-" + number++, certificate);
        }
        return store;
    }

    private static KeyStore loaded(Path file) throws GeneralSecurityException, IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, NO_PASSWORD);
            return store;
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (all.isEmpty()) {
                throw new IOException("it has none");
            }
            return List.copyOf(all);
        } catch (IOException | GeneralSecurityException e) {
            throw unusable(file, "certificates (PEM)", e);
        }
    }

    /** Old versions of TLS are refused, whatever the JDK's configuration says. */
    public static SSLParameters parameters(SSLContext context) {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        return parameters;
    }

    private static WeirException unusable(Path file, String what, Exception e) {
        WeirException failure =
                new WeirException(
                        ErrorCode.INVALID_OPTION,
                        file
                                + (Files.isReadable(file)
                                        ? " has no " + what + " that can be used"
                                        : " cannot be read"),
                        e instanceof IllegalArgumentException ? e.getMessage() : null);
        failure.initCause(e);
        return failure;
    }
}
