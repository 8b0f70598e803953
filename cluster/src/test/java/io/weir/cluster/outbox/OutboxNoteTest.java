package io.weir.cluster.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes end at any point of their turns, in the middle of writing a note, too. The next one
 * finds the note of the last turn whose last entry is there.
 */
final class OutboxNoteTest {
    private static final int ROUNDS = 8;
    private static final int LIVES = 12;
    private static final int MOST_TURNS = 5;

    @TempDir private Path directory;
    private final long seed = Long.getLong("weir.seed", 23);
    private final Random random = new Random(seed);
    private Optional<String> last;
    private int turn;
    private int torn;

    @Test
    void whatIsFoundIsOfTheLastEntryThatIs() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            Path files = directory.resolve("" + round);
            last = Optional.empty();
            for (int life = 0; life < LIVES; life++) {
                live(files);
            }
        }
        assertTrue(torn > ROUNDS, torn + " torn");
    }

    private void live(Path files) throws IOException {
        String half = "";
        try (Outbox outbox = new Outbox(files, Outbox.LEAST_BYTES, new Stage("rows"))) {
            OutboxNote note = outbox.note("note");
            Optional<String> found = note.found().map(bytes -> new String(bytes, UTF_8));
            assertEquals(last, found, "-Dweir.seed=" + seed);
            for (int turns = random.nextInt(MOST_TURNS); turns > 0; turns--) {
                half = turn(outbox, note);
                if (!half.isEmpty()) {
                    break;
                }
            }
        }
        if (half.equals("note")) {
            tear(files);
        }
    }

    /** One turn; what it was killed at, if so. */
    private String turn(Outbox outbox, OutboxNote note) throws IOException {
        if (random.nextInt(3) == 0) {
            outbox.append(new byte[1], false); // with which nothing has changed
            return "";
        }
        for (int rows = random.nextInt(3); rows > 0; rows--) {
            outbox.append(new byte[random.nextInt(50)], true);
        }
        String text = "turn " + turn++ + "x".repeat(random.nextInt(40));
        note.write(text.getBytes(UTF_8), outbox.next());
        if (random.nextInt(4) == 0) {
            torn++;
            return random.nextBoolean() ? "note" : "entry";
        }
        outbox.append(new byte[1], false);
        last = Optional.of(text);
        return "";
    }

    /** Some of the note that was written last never was. */
    private void tear(Path files) throws IOException {
        Path newest = files.resolve("note.0");
        Path other = files.resolve("note.1");
        byte[] text = ("turn " + (turn - 1)).getBytes(UTF_8);
        if (!new String(Files.readAllBytes(newest), UTF_8).contains(new String(text, UTF_8))) {
            newest = other;
        }
        byte[] bytes = Files.readAllBytes(newest);
        int from = random.nextInt(bytes.length);
        if (random.nextBoolean()) {
            Files.write(newest, Arrays.copyOf(bytes, from));
        } else {
            bytes[from] ^= 1;
            Files.write(newest, bytes, StandardOpenOption.WRITE);
        }
    }
}
