package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.Releases;
import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.wire.PartialRecord;
import io.weir.cluster.wire.PartialWindow;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.BindingSpan;
import io.weir.operators.result.Losses;
import io.weir.operators.result.Receivers;
import io.weir.operators.window.LeftOutPackets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Windows on their way between processes of different releases. */
final class ParcelReleasesTest {
    private static final int ROUNDS = 500;

    private final long seed = Long.getLong("weir.seed", 41);
    private final Random random = new Random(seed);

    private MergeMessage message() {
        WorkerEpoch source = new WorkerEpoch("w" + random.nextInt(9), "life");
        long sequence = random.nextInt(1_000);
        ActivationId id = new ActivationId("q", random.nextInt(99), random.nextLong(), output());
        return switch (random.nextInt(4)) {
            case 0 -> {
                List<MergeMessage.Renewed> renewed =
                        random.longs(random.nextInt(3))
                                .mapToObj(untilNs -> new MergeMessage.Renewed(id, untilNs))
                                .toList();
                yield new MergeMessage.Passed(
                        source, sequence, random.nextLong(), random.nextLong(), renewed);
            }
            case 1 -> new MergeMessage.Ended(source, sequence, id, random.nextLong());
            case 2 -> {
                byte[] bytes = new byte[random.nextInt(100)];
                random.nextBytes(bytes);
                yield new MergeMessage.Block(source, sequence, id, random.nextLong(), bytes);
            }
            default -> new MergeMessage.WindowEnd(source, sequence, id, window());
        };
    }

    private Receivers output() {
        return List.of(Receivers.SINKS, Receivers.READERS, Receivers.ALL).get(random.nextInt(3));
    }

    private MergeMessage.Window window() {
        long again = random.nextInt(20);
        long lost = again + random.nextInt(20);
        long own = random.nextInt((int) lost + 1);
        return new MergeMessage.Window(
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                new Losses(
                        lost,
                        random.nextInt(20),
                        again,
                        own,
                        random.nextInt(20),
                        random.nextBoolean()),
                random.nextInt(1_000),
                random.nextInt(1_000),
                random.nextInt(10),
                random.nextBoolean(),
                new LeftOutPackets.Told(random.nextInt(3), random.nextInt(3), random.nextBoolean()),
                random.nextLong(),
                random.nextInt(1_000),
                Stream.generate(() -> span(random)).limit(random.nextInt(3)).toList());
    }

    private static BindingSpan span(Random random) {
        return new BindingSpan(
                random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    @Test
    void fieldsOfALaterReleaseArePassedOver() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = MergeMessageCodec.bytes(message());
            byte[] later = Releases.later(PartialRecord.parseFrom(bytes), random).toByteArray();
            assertTrue(later.length > bytes.length);
            assertArrayEquals(
                    bytes,
                    MergeMessageCodec.bytes(MergeMessageCodec.message(later)),
                    "-Dweir.seed=" + seed);
        }
    }

    @Test
    void anotherFormatIsRefusedByItsNumber() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            PartialRecord record = PartialRecord.parseFrom(MergeMessageCodec.bytes(message()));
            byte[] other = Releases.ofOtherFormat(record).toByteArray();
            WeirException e =
                    assertThrows(WeirException.class, () -> MergeMessageCodec.message(other));
            assertEquals(ErrorCode.OTHER_VERSION, e.code());
            assertTrue(e.getMessage().contains("format " + Releases.OTHER_FORMAT), e.getMessage());
        }
    }

    /** Before losses were told apart: all that a window lacks is lost. */
    @Test
    void windowsOfAnEarlierReleaseAreWhatTheyWere() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            MergeMessage.Window now = window();
            ActivationId id = new ActivationId("q", 1, 0, output());
            MergeMessage sent = new MergeMessage.WindowEnd(new WorkerEpoch("w", "1"), 0, id, now);
            PartialRecord record = PartialRecord.parseFrom(MergeMessageCodec.bytes(sent));
            assertEquals(now.losses().lacking(), record.getWindow().getLost());
            PartialWindow window =
                    (PartialWindow)
                            Releases.earlier(
                                    record.getWindow(),
                                    "missing",
                                    "again",
                                    "own",
                                    "late",
                                    "partial");
            byte[] earlier = record.toBuilder().setWindow(window).build().toByteArray();
            MergeMessage.WindowEnd end =
                    (MergeMessage.WindowEnd) MergeMessageCodec.message(earlier);
            assertEquals(Losses.of(now.losses().lacking()), end.window().losses());
            assertEquals(now.before(), end.window().before());
        }
    }
}
