package io.weir.cluster.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A stored password: PBKDF2 with HMAC-SHA-512 of the JDK, salted. A check takes some tenths of a
 * second of CPU on purpose.
 */
final class PasswordHash {
    private static final String ALGORITHM = "PBKDF2WithHmacSHA512";

    /** OWASP's figure for this algorithm. */
    private static final int ROUNDS = 210_000;

    private static final int MOST_ROUNDS = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final Pattern FORM =
            Pattern.compile("pbkdf2-sha512\\$(\\d{1,8})\\$([\\w+/=]+)\\$([\\w+/=]+)");

    /** The hash for unknown names, so that their check takes as long. */
    static final PasswordHash NOBODY =
            new PasswordHash(ROUNDS, new byte[SALT_BYTES], new byte[HASH_BYTES]);

    private final int rounds;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int rounds, byte[] salt, byte[] hash) {
        this.rounds = rounds;
        this.salt = salt;
        this.hash = hash;
    }

    static PasswordHash of(char[] password) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new PasswordHash(ROUNDS, salt, hash(password, salt, ROUNDS));
    }

    /** Throws IllegalArgumentException, which does not repeat the text. */
    static PasswordHash parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no pbkdf2-sha512 hash");
        }
        int rounds = Integer.parseInt(matcher.group(1));
        byte[] salt = Base64.getDecoder().decode(matcher.group(2));
        byte[] hash = Base64.getDecoder().decode(matcher.group(3));
        if (rounds < 1_000
                || rounds > MOST_ROUNDS
                || salt.length < 8
                || hash.length != HASH_BYTES) {
            throw new IllegalArgumentException("a weak or endless hash");
        }
        return new PasswordHash(rounds, salt, hash);
    }

    boolean matches(char[] password) {
        return MessageDigest.isEqual(hash, hash(password, salt, rounds));
    }

    private static byte[] hash(char[] password, byte[] salt, int rounds) {
        PBEKeySpec spec = new PBEKeySpec(password, salt, rounds, HASH_BYTES * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each JDK has it
        } finally {
            spec.clearPassword();
        }
    }

    /** Returns the text for the file. */
    String text() {
        Base64.Encoder base64 = Base64.getEncoder();
        return "pbkdf2-sha512$"
                + rounds
                + "$"
                + base64.encodeToString(salt)
                + "$"
                + base64.encodeToString(hash);
    }

    /** The text does not have the hash. */
    @Override
    public String toString() {
        return "a password's hash";
    }
}
