package io.weir.cluster.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.disk.Patience;
import io.weir.operators.account.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final int ROUNDS = 20;
    private static final int LIVES = 12;
    private static final int MOST_TURNS = 9;
    private static final int MOST_TORN_BYTES = 40;

    @TempDir private Path directory;
    private final long seed = Long.getLong("weir.seed", 23);
    private final Random random = new Random(seed);
    private Optional<String> last;
    private int turn;
    private int torn;

    /** What the files had before the last note. */
    private final byte[][] before = new byte[2][];

    @Test
    void whatIsFoundIsOfTheLastEntryThatIs() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Path files = directory.resolve("" + round);
            last = Optional.empty();
            for (int life = 0; life < LIVES; life++) {
                live(files);
            }
        }
        assertTrue(torn > ROUNDS, torn + " torn");
    }

    private void live(Path files) throws Exception {
        String half = "";
        try (Outbox outbox =
                new Outbox(files, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless())) {
            OutboxNote note = outbox.note("note");
            Optional<String> found = note.found().map(bytes -> new String(bytes, UTF_8));
            assertEquals(last, found, "-Dweir.seed=" + seed);
            for (int turns = random.nextInt(MOST_TURNS); turns > 0; turns--) {
                half = turn(files, outbox, note);
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
    private String turn(Path files, Outbox outbox, OutboxNote note) throws Exception {
        if (random.nextInt(3) == 0) {
            outbox.append(new byte[1], false); // with which nothing has changed
            return "";
        }
        for (int rows = random.nextInt(3); rows > 0; rows--) {
            outbox.append(new byte[random.nextInt(50)], true);
        }
        String text = "turn " + turn++ + "x".repeat(random.nextInt(40));
        outbox.flush();
        remember(files);
        boolean adds = last.isPresent() && random.nextBoolean();
        if (adds) {
            assertTrue(note.add(text.getBytes(UTF_8), outbox.next()));
        } else {
            assertTrue(note.write(text.getBytes(UTF_8), outbox.next()));
        }
        if (random.nextInt(6) == 0) {
            torn++;
            return random.nextBoolean() ? "note" : "entry";
        }
        outbox.append(new byte[1], false);
        last = Optional.of(adds ? last.orElseThrow() + text : text);
        return "";
    }

    /** The rest of the note that was written last never was: what the file had before is there. */
    private void tear(Path files) throws IOException {
        for (int f = 0; f < before.length; f++) {
            Path file = files.resolve("note." + f);
            byte[] bytes = Files.readAllBytes(file);
            int changed = Arrays.mismatch(bytes, before[f]);
            if (changed >= 0) {
                int most = Math.min(bytes.length - changed, MOST_TORN_BYTES);
                int from = changed + random.nextInt(most);
                byte[] torn = Arrays.copyOf(bytes, Math.max(from, before[f].length));
                System.arraycopy(
                        before[f],
                        Math.min(from, before[f].length),
                        torn,
                        from,
                        Math.max(0, before[f].length - from));
                Files.write(file, torn);
            }
        }
    }

    private void remember(Path files) throws IOException {
        for (int f = 0; f < before.length; f++) {
            before[f] = Files.readAllBytes(files.resolve("note." + f));
        }
    }
}
