package io.weir.cluster.security;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The rules for clients of a server: its users and its encryption.
 *
 * @param users the known users; empty: everybody who can reach it
 * @param tls the server's certificate; empty: without encryption
 * @param refused is told of wrong logins
 */
public record Access(Optional<Users> users, Optional<SSLContext> tls, Refusals refused) {
    /** Access for the loopback only. */
    public static final Access OPEN =
            new Access(Optional.empty(), Optional.empty(), Refusals.UNTOLD);

    /** Is told of logins that were wrong. */
    @FunctionalInterface
    public interface Refusals {
        Refusals UNTOLD = (name, address) -> {};

        /**
         * Is told that a login was refused.
         *
         * @param name that was claimed
         * @param address of the client
         */
        void refused(String name, String address);
    }

    private static final String BASIC = "Basic ";

    /** Returns the same access with another receiver of wrong logins. */
    public Access telling(Refusals other) {
        return new Access(users, tls, other);
    }

    /** Throws INVALID_OPTION if strangers could connect, or listen. */
    public void check(InetSocketAddress address) {
        if (address.getAddress().isLoopbackAddress()) {
            return;
        }
        String host = address.getAddress().getHostAddress();
        if (users.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "a server on " + host + " needs users: others can reach it",
                    "weir user set NAME --role admin --users FILE, then --users FILE");
        } else if (tls.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "a server on " + host + " needs TLS: passwords would be there to be read",
                    "--tls-cert FILE --tls-key FILE, or --tls-keystore FILE");
        }
    }

    /**
     * Returns the user of a request; empty for an unknown one.
     *
     * @param authorization the header of that name, as HTTP has it; empty without it
     * @param client the address that the request came from
     * @throws Busy when its client asks too much at once
     */
    public Optional<User> user(String authorization, InetAddress client) throws Busy {
        if (users.isEmpty()) {
            return Optional.of(User.ANYBODY);
        }
        if (!authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return Optional.empty();
        }
        char[] login;
        try {
            login =
                    chars(
                            Base64.getDecoder()
                                    .decode(authorization.substring(BASIC.length()).strip()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        int colon = new String(login).indexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        String name = new String(login, 0, colon);
        char[] password = Arrays.copyOfRange(login, colon + 1, login.length);
        try {
            String address = client.getHostAddress();
            Optional<User> user = users.get().authenticate(name, password, address);
            if (user.isEmpty()) {
                refused.refused(name, address);
            }
            return user;
        } finally {
            Arrays.fill(password, '\0');
            Arrays.fill(login, '\0');
        }
    }

    private static char[] chars(byte[] utf8) {
        CharBuffer text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(utf8));
        char[] chars = new char[text.remaining()];
        text.get(chars);
        return chars;
    }

    /** Shows nothing of its content. */
    @Override
    public String toString() {
        return (users.isPresent() ? "users" : "everybody") + (tls.isPresent() ? ", by TLS" : "");
    }
}
