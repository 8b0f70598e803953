package io.weir.cluster.security;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The file of users: a line each, {@code name:roles:hash}. Lines that begin with # are skipped (and
 * not kept when it is written). Only its owner and its group may read it, only its owner may write
 * it. Errors name a line, never its content.
 */
public final class UsersFile {
    private static final int MOST_USERS = 10_000;
    private static final int LEAST_PASSWORD = 8;
    private static final int LONGEST_PASSWORD = 256;
    private static final Set<PosixFilePermission> OWNERS =
            PosixFilePermissions.fromString("rw-------");

    private final Path file;

    /** A user's line. */
    record Entry(User user, PasswordHash password) {}

    public UsersFile(Path file) {
        this.file = file;
    }

    /** Returns the entries by name. */
    Map<String, Entry> read() {
        List<String> lines;
        try {
            checkPrivate();
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw error(Files.exists(file) ? "cannot be read" : "does not exist");
        }
        Map<String, Entry> entries = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                Entry entry = parse(line, i + 1);
                if (entries.put(entry.user().name(), entry) != null) {
                    throw error("names the user of line " + (i + 1) + " twice");
                } else if (entries.size() > MOST_USERS) {
                    throw error("has more than " + MOST_USERS + " users");
                }
            }
        }
        return entries;
    }

    private Entry parse(String line, int number) {
        String[] parts = line.split(":", -1);
        try {
            if (parts.length == 3) {
                return new Entry(
                        new User(parts[0], Role.parse(parts[1])), PasswordHash.parse(parts[2]));
            }
        } catch (IllegalArgumentException | WeirException e) {
            throw error("has no user in line " + number);
        }
        throw error("has no user in line " + number);
    }

    private WeirException error(String what) {
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                "the users file " + file + " " + what,
                "weir user set NAME --role ROLE --users " + file + " writes an entry");
    }

    private void checkPrivate() throws IOException {
        Set<PosixFilePermission> given = Files.getPosixFilePermissions(file);
        if (given.contains(PosixFilePermission.OTHERS_READ)
                || given.contains(PosixFilePermission.OTHERS_WRITE)
                || given.contains(PosixFilePermission.GROUP_WRITE)) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "the users file " + file + " is open to others",
                    "chmod 600 " + file);
        }
    }

    /** Adds a user, or changes roles and password. Makes the file if it is missing. */
    public void set(User user, char[] password) {
        if (password.length < LEAST_PASSWORD || password.length > LONGEST_PASSWORD) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "a password has " + LEAST_PASSWORD + " to " + LONGEST_PASSWORD + " characters");
        }
        Map<String, Entry> entries = Files.exists(file) ? read() : new TreeMap<>();
        entries.put(user.name(), new Entry(user, PasswordHash.of(password)));
        write(entries);
    }

    /** Throws INVALID_OPTION when there is no such user. */
    public void remove(String name) {
        Map<String, Entry> entries = read();
        if (entries.remove(name) == null) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "there is no user " + name + " in " + file);
        }
        write(entries);
    }

    public List<User> users() {
        return read().values().stream().map(Entry::user).toList();
    }

    /** The file is replaced in one move: a reader sees all of the old one or all of the new. */
    private void write(Map<String, Entry> entries) {
        List<String> lines = new ArrayList<>();
        entries.forEach(
                (name, entry) ->
                        lines.add(
                                name
                                        + ":"
                                        + entry.user().rolesText()
                                        + ":"
                                        + entry.password().text()));
        Path directory = file.toAbsolutePath().getParent();
        try {
            Path next =
                    Files.createTempFile(
                            directory,
                            ".weir-users",
                            "",
                            PosixFilePermissions.asFileAttribute(OWNERS));
            try {
                Files.write(next, lines, StandardCharsets.UTF_8);
                if (Files.exists(file)) {
                    Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(file));
                }
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(next);
            }
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT, "the users file " + file + " cannot be written");
        }
    }

    Path file() {
        return file;
    }
}
