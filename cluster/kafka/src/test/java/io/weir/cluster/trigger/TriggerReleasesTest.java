package io.weir.cluster.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Releases;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.graph.Inet;
import io.weir.operators.time.Clock;
import io.weir.operators.when.Binding;
import io.weir.operators.when.Waking;
import io.weir.operators.when.WhenState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Triggers of other releases: what is known of them is heard, another format is counted. */
final class TriggerReleasesTest {
    private final List<String> heard = new ArrayList<>();
    private final TriggerFollower follower =
            new TriggerFollower(
                    KafkaSettings.of("127.0.0.1:9"),
                    "test",
                    new Triggers() {
                        @Override
                        public void changed(String query, long version, WhenState.Change change) {
                            boolean wakes = change.begins();
                            long ns = wakes ? change.fromNs() : change.untilNs();
                            heard.add(
                                    (wakes ? "wake " : "until ")
                                            + query
                                            + " "
                                            + version
                                            + " "
                                            + ns);
                        }

                        @Override
                        public void settled(long settledNs) {
                            heard.add("settled " + settledNs);
                        }
                    },
                    failure -> {
                        throw failure;
                    });

    private void read(byte[] value) {
        follower.read(List.of(new ConsumerRecord<>(Topics.TRIGGERS, 0, 0, new byte[0], value)), 1);
    }

    @Test
    void whatIsKnownIsHeard() {
        long seed = Long.getLong("weir.seed", 43);
        Random random = new Random(seed);
        List<String> expected = new ArrayList<>();
        int others = 0;
        for (int n = 0; n < 500; n++) {
            TriggerRecord.Builder record =
                    TriggerRecord.newBuilder()
                            .setFormat(TriggerMessage.FORMAT)
                            .setQuery("q")
                            .setVersion(n);
            int kind = random.nextInt(4);
            if (random.nextInt(5) == 0) {
                record.setSettledNs(n);
                read(Releases.ofOtherFormat(record.build()).toByteArray());
                others++;
                continue;
            } else if (kind == 0) {
                record.setWake(Activity.newBuilder().setFromNs(n));
                expected.add("wake q " + n + " " + n);
            } else if (kind == 1) {
                record.setUntil(Activity.newBuilder().setUntilNs(n));
                expected.add("until q " + n + " " + n);
            } else if (kind == 2) {
                record.setSettledNs(n); // as releases before said it
                if (random.nextBoolean()) {
                    record.setQuery("");
                    expected.add("settled " + n);
                }
            } else {
                others++; // a kind that is not known yet
            }
            read(Releases.later(record.build(), random).toByteArray());
        }
        assertEquals(expected, heard, "-Dweir.seed=" + seed);
        assertEquals(others, follower.unread());
    }

    /** A query without values has the record and the key of before. */
    @Test
    void valuesAreHeardAsTheyWereWritten() {
        Binding binding = new Binding(List.of(7L, Inet.v4(0x0A000001), "a"));
        List<Object> values = Arrays.asList(null, 2.5, Inet.v6(1, 2), "", true, -1L);
        Optional<Waking> waking = Optional.of(new Waking(12, 3, values));
        WhenState.Change change = new WhenState.Change(binding, 5, 6, true, true, waking);
        assertEquals(change, heard(TriggerMessage.of(Clock.SYSTEM, "a", "q", 1, change)));
        WhenState.Change without = WhenState.Change.until(5, 6);
        TriggerMessage message = TriggerMessage.of(Clock.SYSTEM, "a", "q", 1, without);
        assertEquals(without, heard(message));
        assertEquals("until q", new String(message.key(), StandardCharsets.UTF_8));
    }

    private static WhenState.Change heard(TriggerMessage message) {
        try {
            return TriggerMessage.change(TriggerRecord.parseFrom(message.value()));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }
}
