package io.weir.cluster.security;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Private keys of PEM files (RFC 7468). */
final class Pem {
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([\\w+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private Pem() {}

    /** Throws IllegalArgumentException, with a remedy, if there is none. */
    static PrivateKey privateKey(String text) throws GeneralSecurityException {
        Matcher matcher = PKCS8.matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException(
                    "PKCS #8 without a password is read: openssl pkcs8 -topk8 -nocrypt -in KEY");
        }
        PKCS8EncodedKeySpec bytes =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
        InvalidKeyException none = new InvalidKeyException("neither of " + ALGORITHMS);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(bytes);
            } catch (InvalidKeySpecException ofAnother) {
                none.addSuppressed(ofAnother);
            }
        }
        throw none;
    }
}
