package io.weir.cluster.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.outbox.OutboxReader;
import io.weir.cluster.trigger.TriggerMessage;
import io.weir.cluster.wire.OutboxRow;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.account.Stage;
import io.weir.operators.time.Clock;
import io.weir.operators.when.WhenState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker ends at any point of its turns. What the outbox has then are whole turns where they have
 * fired something: each row that fires has its trigger behind it, each trigger its row before it,
 * and what was told at once the outbox has.
 */
final class FiredRowsTest {
    private static final int ROUNDS = 12;
    private static final int LIVES = 5;
    private static final int MOST_TURNS = 12;

    @TempDir private Path directory;
    private final long seed = Long.getLong("weir.seed", 19);
    private final Random random = new Random(seed);
    private final List<String> atOnce = new ArrayList<>();
    private long number;
    private int killed;

    /** The process has ended. */
    private static final class Killed extends Exception {
        private static final long serialVersionUID = 1;
    }

    @Test
    void aRowAndWhatItFiresAreBothThereOrNeither() throws Exception {
        int told = 0;
        for (int round = 0; round < ROUNDS; round++) {
            atOnce.clear();
            Path files = directory.resolve("" + round);
            for (int life = 0; life < LIVES; life++) {
                try (Outbox outbox = open(files)) {
                    live(outbox);
                }
            }
            check(files);
            told += atOnce.size();
        }
        assertTrue(killed > ROUNDS, killed + " killed");
        assertTrue(told > ROUNDS, told + " told at once");
    }

    private void check(Path files) throws InvalidProtocolBufferException {
        List<String> fired = new ArrayList<>();
        List<String> told = new ArrayList<>();
        try (Outbox outbox = open(files);
                OutboxReader reader = outbox.reader()) {
            reader.seek(0);
            Optional<OutboxReader.Entry> entry = reader.next();
            for (; entry.isPresent(); entry = reader.next()) {
                read(entry.get().bytes(), fired, told);
                assertTrue(fired.containsAll(told), "-Dweir.seed=" + seed);
            }
        }
        assertEquals(fired, told, "-Dweir.seed=" + seed);
        assertTrue(told.containsAll(atOnce), "-Dweir.seed=" + seed);
    }

    private static Outbox open(Path files) {
        return new Outbox(files, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless());
    }

    private static void read(byte[] entry, List<String> fired, List<String> told)
            throws InvalidProtocolBufferException {
        OutboxRow row = OutboxRow.parseFrom(entry);
        if (row.getFormat() == 2) {
            told.add(TriggerRecord.parseFrom(row.getValue()).getQuery());
        } else if (row.getValue().toStringUtf8().startsWith("fires")) {
            fired.add(row.getValue().toStringUtf8());
        }
    }

    private void live(Outbox outbox) {
        FiredRows rows =
                new FiredRows(
                        outbox,
                        new Conditions(outbox.note("conditions")),
                        new LossLedger(outbox.note("told")));
        try {
            for (int turn = random.nextInt(MOST_TURNS); turn >= 0; turn--) {
                turn(rows);
            }
        } catch (Killed end) {
            killed++;
        }
    }

    private static String query(byte[] value) {
        try {
            return TriggerRecord.parseFrom(value).getQuery();
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private void turn(FiredRows rows) throws Killed {
        List<String> firing = new ArrayList<>();
        for (int batch = random.nextInt(4); batch > 0; batch--) {
            boolean fires = random.nextInt(3) == 0;
            for (int left = random.nextInt(3); left >= 0; left--) {
                perhapsKilled();
                String row = (fires && left == 0 ? "fires" : "row") + number++;
                rows.add(entry(row), left > 0);
                if (fires && left == 0) {
                    perhapsKilled();
                    rows.fired();
                    firing.add(row);
                }
            }
        }
        perhapsKilled();
        WhenState.Change wake = WhenState.Change.wake(number, number + 5);
        List<TriggerMessage> messages =
                firing.stream()
                        .map(row -> TriggerMessage.of(Clock.SYSTEM, "a", row, 1, wake))
                        .toList();
        perhapsKilled();
        messages.forEach(rows::add);
        rows.end();
        messages.forEach(message -> atOnce.add(query(message.value())));
    }

    private void perhapsKilled() throws Killed {
        if (random.nextInt(20) == 0) {
            throw new Killed();
        }
    }

    private static byte[] entry(String text) {
        return OutboxRow.newBuilder()
                .setFormat(1)
                .setValue(ByteString.copyFrom(text, UTF_8))
                .build()
                .toByteArray();
    }
}
