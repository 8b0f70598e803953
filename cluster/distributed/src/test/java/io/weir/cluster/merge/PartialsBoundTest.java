package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.results.OutboxSender;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.protocol.MergeStage;
import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.account.Stage;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kafka is away for longer than the outbox of partials has room. */
@Timeout(900)
final class PartialsBoundTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int SECONDS = 30;
    private static final int A_SECOND = 25_000;
    private static final String SQL =
            "CREATE QUERY wide AS SELECT src_addr, dst_addr, dst_port, COUNT(*) AS n, packets_lost"
                    + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr, dst_addr,"
                    + " dst_port;";

    @TempDir private Path directory;

    private Path capture() throws Exception {
        PcapFile file = new PcapFile();
        for (int p = 0; p < SECONDS * A_SECOND; p++) {
            file.udp(p * (SECOND_NS / A_SECOND), 1 + p % 200, 1 + p / 200 % 200, p % 60_000, 60);
        }
        return file.write(directory.resolve("capture.pcap"));
    }

    @Test
    void theOldestGoAreCountedAndMissedByTheMerge() throws Exception {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        AtomicInteger alarms = new AtomicInteger();
        Stage stage = new Stage("partials");
        EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        try (KafkaCatalog catalog =
                        KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "test");
                Outbox outbox =
                        new Outbox(
                                directory.resolve("o"),
                                Outbox.LEAST_BYTES,
                                stage,
                                Patience.endless());
                OutboxSender sender =
                        new OutboxSender(
                                        KafkaSettings.of(broker.bootstrap()),
                                        MergeMessageEntries.name("w"),
                                        "life",
                                        outbox,
                                        new MergeMessageEntries(
                                                KafkaSettings.of(broker.bootstrap()), "w"),
                                        failures::add)
                                .start()) {
            outbox.onTrouble(trouble -> alarms.incrementAndGet());
            MergedLibraryTest.queries(SQL).forEach(query -> catalog.create(query, false));
            SentMessages messages = new SentMessages(catalog.state(), "w", "life", capture());
            messages.put(outbox, PcapFile.START_NS + 3 * SECOND_NS);
            assertTrue(sender.awaitSent(300_000));
            assertEquals(0, alarms.get());
            BrokerSettings same = broker.settings();
            broker.close();
            messages.put(outbox, Long.MAX_VALUE);
            broker = EmbeddedBroker.start(same);
            assertTrue(sender.awaitSent(300_000));
            assertEquals(1, alarms.get());
            long dropped = stage.lost("outbox_full").value();
            assertTrue(dropped > 0, "nothing was dropped");
            check(broker, catalog.state().definitions().get("wide"), dropped);
        } finally {
            broker.close();
        }
        assertTrue(stage.snapshot().isBalanced(), stage.snapshot().toString());
        assertEquals(List.of(), failures);
    }

    /** The first windows and the last are whole; one says what is missing between them. */
    private static void check(EmbeddedBroker broker, Definition wide, long dropped) {
        long missing = 0;
        TreeMap<Long, Long> packets = new TreeMap<>();
        TreeMap<Long, Long> lost = new TreeMap<>();
        for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
            try (NativeAllocator allocator = new NativeAllocator(1L << 30);
                    MergeStage stage = MergeStage.first(allocator, MergeStage.Options.DEFAULT)) {
                var code = KernelCompiler.compile(wide.query(), CacheConfig.DEFAULT.layouts());
                stage.add(code, wide.version(), batch -> add(batch, packets, lost));
                for (byte[] message : committed(broker, shard)) {
                    stage.accept(MergeMessageCodec.message(message), 0);
                }
                missing += stage.counts().missing().get();
            }
        }
        assertEquals(dropped, missing);
        long first = packets.firstKey();
        assertEquals(A_SECOND, packets.get(first), packets.toString());
        assertEquals(A_SECOND, packets.get(packets.lastKey()), packets.toString());
        List<Long> told = new ArrayList<>(lost.values());
        told.removeIf(count -> count == 0);
        assertEquals(1, told.size(), lost.toString());
        // What runs while a window is open is told with it: up to a second more or less.
        long all = packets.values().stream().mapToLong(Long::longValue).sum() + told.get(0);
        assertTrue(Math.abs(all - (long) SECONDS * A_SECOND) <= 2 * A_SECOND, all + ": " + packets);
    }

    private static void add(RowBatch batch, Map<Long, Long> packets, Map<Long, Long> lost) {
        long second = (batch.windowEndNs() - PcapFile.START_NS) / SECOND_NS;
        for (int r = 0; r < batch.rows(); r++) {
            packets.merge(second, batch.word(r, 3), Long::sum);
            lost.merge(second, batch.word(r, 4), Math::max);
        }
    }

    private static List<byte[]> committed(EmbeddedBroker broker, int shard) {
        TopicPartition partition = new TopicPartition(Topics.PARTIALS, shard);
        return CommittedRecords.of(KafkaSettings.of(broker.bootstrap()), partition).stream()
                .map(ConsumerRecord::value)
                .toList();
    }
}
