package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.Releases;
import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.Parcel;
import io.weir.cluster.protocol.Source;
import io.weir.cluster.wire.PartialRecord;
import io.weir.cluster.wire.PartialWindow;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.result.Activation;
import io.weir.operators.result.Losses;
import io.weir.operators.window.LeftOut;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Windows on their way between processes of different releases. */
final class ParcelReleasesTest {
    private static final int ROUNDS = 500;

    private final long seed = Long.getLong("weir.seed", 41);
    private final Random random = new Random(seed);

    private Parcel parcel() {
        Source source = new Source("w" + random.nextInt(9), "life");
        long sequence = random.nextInt(1_000);
        ActivationId id = new ActivationId("q", random.nextInt(99), random.nextLong(), output());
        return switch (random.nextInt(4)) {
            case 0 -> {
                List<Parcel.Renewed> renewed =
                        random.longs(random.nextInt(3))
                                .mapToObj(untilNs -> new Parcel.Renewed(id, untilNs))
                                .toList();
                yield new Parcel.Passed(
                        source, sequence, random.nextLong(), random.nextLong(), renewed);
            }
            case 1 -> new Parcel.Ended(source, sequence, id, random.nextLong());
            case 2 -> {
                byte[] bytes = new byte[random.nextInt(100)];
                random.nextBytes(bytes);
                yield new Parcel.Block(source, sequence, id, random.nextLong(), bytes);
            }
            default -> new Parcel.WindowEnd(source, sequence, id, window());
        };
    }

    private Activation.Output output() {
        return List.of(Activation.Output.SINKS, Activation.Output.READERS, Activation.Output.ALL)
                .get(random.nextInt(3));
    }

    private Parcel.Window window() {
        long again = random.nextInt(20);
        long lost = again + random.nextInt(20);
        long own = random.nextInt((int) lost + 1);
        return new Parcel.Window(
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
                new LeftOut.Told(random.nextInt(3), random.nextInt(3), random.nextBoolean()),
                random.nextLong(),
                random.nextInt(1_000));
    }

    @Test
    void fieldsOfALaterReleaseArePassedOver() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = ParcelCodec.bytes(parcel());
            byte[] later = Releases.later(PartialRecord.parseFrom(bytes), random).toByteArray();
            assertTrue(later.length > bytes.length);
            assertArrayEquals(
                    bytes, ParcelCodec.bytes(ParcelCodec.parcel(later)), "-Dweir.seed=" + seed);
        }
    }

    @Test
    void anotherFormatIsRefusedByItsNumber() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            PartialRecord record = PartialRecord.parseFrom(ParcelCodec.bytes(parcel()));
            byte[] other = Releases.ofOtherFormat(record).toByteArray();
            WeirException e = assertThrows(WeirException.class, () -> ParcelCodec.parcel(other));
            assertEquals(ErrorCode.OTHER_VERSION, e.code());
            assertTrue(e.getMessage().contains("format " + Releases.OTHER_FORMAT), e.getMessage());
        }
    }

    /** Before losses were told apart: all that a window lacks is lost. */
    @Test
    void windowsOfAnEarlierReleaseAreWhatTheyWere() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Parcel.Window now = window();
            ActivationId id = new ActivationId("q", 1, 0, output());
            Parcel sent = new Parcel.WindowEnd(new Source("w", "1"), 0, id, now);
            PartialRecord record = PartialRecord.parseFrom(ParcelCodec.bytes(sent));
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
            Parcel.WindowEnd end = (Parcel.WindowEnd) ParcelCodec.parcel(earlier);
            assertEquals(Losses.of(now.losses().lacking()), end.window().losses());
            assertEquals(now.before(), end.window().before());
        }
    }
}
