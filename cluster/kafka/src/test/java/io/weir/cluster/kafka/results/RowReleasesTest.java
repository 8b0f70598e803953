package io.weir.cluster.kafka.results;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Releases;
import io.weir.cluster.outbox.OutboxReader;
import io.weir.cluster.wire.OutboxPosition;
import io.weir.cluster.wire.OutboxRow;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** An outbox that another release has left, and what the topic says of it. */
final class RowReleasesTest {
    private final long seed = Long.getLong("weir.seed", 47);
    private final Random random = new Random(seed);
    private final ResultEntries entries = new ResultEntries(KafkaSettings.of("127.0.0.1:9"), "w");

    private Optional<ProducerRecord<byte[], byte[]>> sent(byte[] entry) {
        return entries.record(new OutboxReader.Entry(3, entry));
    }

    @Test
    void rowsOfALaterReleaseAreSentAndThoseInAnotherFormatAreNot() {
        for (int n = 0; n < 300; n++) {
            OutboxRow row =
                    OutboxRow.newBuilder()
                            .setFormat(1)
                            .setQuery("q" + n % 7)
                            .setVersion(n)
                            .setKey(ByteString.copyFromUtf8("k" + n))
                            .setValue(ByteString.copyFromUtf8("v" + n))
                            .setCompleteness(random.nextDouble())
                            .build();
            ProducerRecord<byte[], byte[]> known = sent(row.toByteArray()).orElseThrow();
            ProducerRecord<byte[], byte[]> later =
                    sent(Releases.later(row, random).toByteArray()).orElseThrow();
            String about = "-Dweir.seed=" + seed + ", " + n;
            assertEquals(known.topic(), later.topic(), about);
            assertArrayEquals(known.key(), later.key(), about);
            assertArrayEquals(known.value(), later.value(), about);
            assertEquals(known.headers(), later.headers(), about);
            assertTrue(sent(Releases.ofOtherFormat(row).toByteArray()).isEmpty(), about);
        }
    }

    @Test
    void positionsOfALaterReleaseAreRead() throws Exception {
        byte[] written = SentPositions.record("w", "box", "life", 77, OptionalLong.of(5)).value();
        OutboxPosition position = OutboxPosition.parseFrom(written);
        OutboxPosition read =
                SentPositions.parse(Releases.later(position, random).toByteArray()).orElseThrow();
        assertEquals(77, read.getNext());
        assertEquals(5, read.getPassedNs());
        assertEquals("life", read.getLife());
        byte[] other = Releases.ofOtherFormat(position).toByteArray();
        assertTrue(SentPositions.parse(other).isEmpty());
    }
}
