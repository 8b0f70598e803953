package io.weir.cluster.security;

import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates users by name and password with the users file, which is read again when it has
 * changed. While it cannot be read nobody is admitted. Thread-safe.
 *
 * <p>Hashing a password is slow on purpose, so right passwords are remembered, as digests under a
 * key of this process. Hashing keeps two threads busy at most, one for the names of users and one
 * for other names. Clients take turns ({@link LoginQueue}), so a client that floods the server with
 * guesses locks nobody else out.
 */
public final class Users {
    private static final Logger LOG = LoggerFactory.getLogger(Users.class);
    private static final long LOOK_AGAIN_NS = 1_000_000_000L;
    private static final int MOST_REMEMBERED = 1_000;
    private static final int LONGEST_NAME = 64;
    private static final String DIGEST = "HmacSHA256";

    private final UsersFile file;
    private final SecretKeySpec key;
    private final Clock clock;
    private final LoginQueue users;

    /** The queue for unknown names. Any number of attempts takes no user's turn. */
    private final LoginQueue strangers;

    /** Digests of right logins for the present file; guarded by this. */
    private final Map<String, User> right =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, User> eldest) {
                    return size() > MOST_REMEMBERED;
                }
            };

    private Map<String, UsersFile.Entry> entries;
    private String state;
    private long lookedNs;

    /** Throws INVALID_OPTION if the file is invalid. */
    public Users(UsersFile file) {
        this(file, Clock.SYSTEM);
    }

    /**
     * @param clock that says when the file is looked at again, and how long a failure counts
     */
    Users(UsersFile file, Clock clock) {
        this.clock = clock;
        this.users = new LoginQueue(clock);
        this.strangers = new LoginQueue(clock);
        this.file = file;
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        this.key = new SecretKeySpec(secret, DIGEST);
        this.state = fileState();
        this.entries = file.read();
        this.lookedNs = clock.nanos();
    }

    /**
     * Returns the user; empty if name and password are wrong.
     *
     * @param address of the client, which shares the hashing with others
     * @throws Busy when the client asks too much at once
     */
    public Optional<User> authenticate(String name, char[] password, String address) throws Busy {
        String digest = digest(name, password);
        PasswordHash hash;
        User user;
        String known;
        synchronized (this) {
            refresh();
            User remembered = right.get(digest);
            if (remembered != null) {
                return Optional.of(remembered);
            }
            UsersFile.Entry entry = entries.get(name);
            hash = entry == null ? PasswordHash.NOBODY : entry.password();
            user = entry == null ? null : entry.user();
            known = state;
        }
        if (!matches(hash, name, password, address, user != null)) {
            return Optional.empty();
        }
        synchronized (this) {
            if (known.equals(state)) {
                right.put(digest, user);
            }
        }
        return Optional.of(user);
    }

    private boolean matches(
            PasswordHash hash, String name, char[] password, String address, boolean isUser)
            throws Busy {
        String shown = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
        LoginQueue queue = isUser ? users : strangers;
        queue.enter(address, shown);
        boolean right = false;
        try {
            right = hash.matches(password) && isUser;
        } finally {
            queue.leave(address, shown, right);
        }
        return right;
    }

    private void refresh() {
        if (clock.nanos() - lookedNs < LOOK_AGAIN_NS) {
            return;
        }
        lookedNs = clock.nanos();
        String now = fileState();
        if (!now.equals(state)) {
            state = now;
            right.clear();
            try {
                entries = file.read();
            } catch (WeirException e) {
                entries = Map.of();
                LOG.warn("nobody is let in: {}", e.getMessage());
            }
        }
    }

    /** Returns a text that changes with the file. */
    private String fileState() {
        try {
            BasicFileAttributes now = Files.readAttributes(file.file(), BasicFileAttributes.class);
            return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
        } catch (IOException e) {
            return "absent";
        }
    }

    private String digest(String name, char[] password) {
        byte[] text = (name + '\0' + new String(password)).getBytes(StandardCharsets.UTF_8);
        try {
            Mac mac = Mac.getInstance(DIGEST);
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each JDK has it
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }
}
