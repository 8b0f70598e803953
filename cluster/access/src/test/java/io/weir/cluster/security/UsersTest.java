package io.weir.cluster.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.WeirException;
import io.weir.operators.time.ManualClock;
import io.weir.testing.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersTest {
    private final ManualClock clock = new ManualClock();

    @TempDir private Path folder;

    private final LogLines log = LogLines.of(Users.class);
    private final List<String> notes = log.texts();

    @AfterEach
    void closeLog() {
        log.close();
    }

    private Path path() {
        return folder.resolve("users");
    }

    private static Optional<User> login(Users users, String name, String password) {
        try {
            return users.authenticate(name, password.toCharArray(), "a");
        } catch (Busy e) {
            throw new AssertionError(e);
        }
    }

    private UsersFile file(String name, String password, Role... roles) {
        UsersFile file = new UsersFile(path());
        file.set(new User(name, Set.of(roles)), password.toCharArray());
        return file;
    }

    @Test
    void onlyTheRightPasswordIsTheUser() throws Exception {
        file("alice", "correct horse", Role.ANALYST, Role.OPERATOR);
        UsersFile file = file("bob@x", "päss:word ü", Role.VIEWER);
        Users users = new Users(file);
        for (int i = 0; i < 2; i++) { // the second time it is remembered
            assertEquals(
                    Set.of(Role.ANALYST, Role.OPERATOR),
                    login(users, "alice", "correct horse").orElseThrow().roles());
            assertEquals("bob@x", login(users, "bob@x", "päss:word ü").orElseThrow().name());
            assertTrue(login(users, "alice", "correct hors").isEmpty());
            assertTrue(login(users, "alice", "").isEmpty());
            assertTrue(login(users, "bob@x", "correct horse").isEmpty());
            assertTrue(login(users, "eve", "correct horse").isEmpty());
        }
        String text = Files.readString(path());
        assertFalse(text.contains("horse") || text.contains("word"), text);
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path())));
    }

    @Test
    void changesOfTheFileCount() throws Exception {
        UsersFile file = file("alice", "correct horse", Role.VIEWER);
        Users users = new Users(file, clock);
        assertTrue(login(users, "alice", "correct horse").isPresent());
        file("alice", "battery staple", Role.ADMIN);
        clock.pass(Duration.ofSeconds(1));
        assertTrue(login(users, "alice", "correct horse").isEmpty());
        assertEquals(
                Set.of(Role.ADMIN), login(users, "alice", "battery staple").orElseThrow().roles());
        file.set(new User("bob", Set.of(Role.VIEWER)), "third person".toCharArray());
        file.remove("alice");
        clock.pass(Duration.ofSeconds(1));
        assertTrue(login(users, "alice", "battery staple").isEmpty());
        assertTrue(login(users, "bob", "third person").isPresent());
        assertEquals(List.of(), notes);
        Files.writeString(path(), "bob:everything:hush\n");
        clock.pass(Duration.ofSeconds(1));
        assertTrue(login(users, "bob", "third person").isEmpty());
        assertEquals(1, notes.size());
        assertTrue(notes.get(0).contains("no user in line 1"), notes.get(0));
        assertFalse(notes.get(0).contains("hush"), notes.get(0));
    }

    @Test
    void aFileThatOthersMayReadIsRefused() throws Exception {
        UsersFile file = file("alice", "correct horse", Role.VIEWER);
        Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-r--r--"));
        WeirException e = assertThrows(WeirException.class, () -> new Users(file));
        assertTrue(e.text().contains("chmod 600"), e.text());
    }

    @Test
    void whatIsNoEntryIsNamedByItsLineOnly() throws Exception {
        file("alice", "correct horse", Role.VIEWER);
        String good = Files.readString(path());
        for (String bad :
                List.of(
                        "bob",
                        "bob:viewer",
                        "bob:viewer:hush",
                        "b b" + good.substring(5),
                        good.replace("viewer", "king"),
                        good.replace("$210000$", "$1$"),
                        good.strip().substring(0, good.length() - 9))) {
            Files.writeString(path(), "# people\n\n" + bad + "\n");
            WeirException e =
                    assertThrows(WeirException.class, () -> new Users(new UsersFile(path())), bad);
            assertTrue(e.getMessage().endsWith("has no user in line 3"), e.text());
            assertFalse(e.text().contains("hush"), e.text());
        }
        Files.writeString(path(), good + good);
        assertThrows(WeirException.class, () -> new Users(new UsersFile(path())));
    }

    @Test
    void shortPasswordsAndOddNamesAreRefused() {
        assertThrows(WeirException.class, () -> file("alice", "short", Role.VIEWER));
        assertThrows(WeirException.class, () -> file("a:b", "long enough", Role.VIEWER));
        assertThrows(WeirException.class, () -> file("a\nb", "long enough", Role.VIEWER));
        assertFalse(Files.exists(path()));
    }

    /**
     * More invented names of one address than a user should wait for: the user's turn comes at
     * once.
     */
    @Test
    void inventedNamesTakeNoUsersTurn() throws Exception {
        Users users = new Users(file("alice", "correct horse", Role.VIEWER));
        List<Thread> threads = new ArrayList<>();
        AtomicInteger answered = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            String name = "invented" + i;
            threads.add(
                    new Thread(
                            () -> {
                                login(users, name, "guess");
                                answered.incrementAndGet();
                            }));
        }
        threads.forEach(Thread::start);
        assertTrue(login(users, "alice", "correct horse").isPresent());
        assertTrue(answered.get() < 18, answered + " were answered before");
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Many guesses at once: most are turned away, none gets in, and the user still does. */
    @Test
    void aFloodOfGuessesIsTurnedAway() throws Exception {
        Users users = new Users(file("alice", "correct horse", Role.VIEWER));
        assertTrue(login(users, "alice", "correct horse").isPresent());
        AtomicInteger busy = new AtomicInteger();
        AtomicInteger in = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String guess = "guess number " + i;
            threads.add(
                    new Thread(
                            () -> {
                                try {
                                    if (users.authenticate("alice", guess.toCharArray(), "a")
                                            .isPresent()) {
                                        in.incrementAndGet();
                                    }
                                } catch (Busy e) {
                                    busy.incrementAndGet();
                                }
                            }));
        }
        threads.forEach(Thread::start);
        assertTrue(login(users, "alice", "correct horse").isPresent());
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(0, in.get());
        assertTrue(busy.get() > 0, "nobody was turned away");
    }
}
