package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.SmallDisk;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.operators.account.Stage;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker whose disk takes nothing counts on: its rows are in the topic, or told as lost. */
@Timeout(180)
class FullDiskWorkerTest {
    private static final int PACKETS = 300;

    @TempDir private Path directory;

    private interface Step {
        void run() throws Exception;
    }

    @Test
    void fullWhenItBeginsAndAgain() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(directory, 12)) {
            disk.fill(0);
            beginsWithout(disk, "disk_full", disk::free, () -> disk.fill(0));
        }
    }

    @Test
    void readOnlyWhenItBegins() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(directory, 12)) {
            disk.readOnly(true);
            beginsWithout(disk, "disk_read_only", () -> disk.readOnly(false), () -> {});
        }
    }

    private void beginsWithout(SmallDisk disk, String reason, Step over, Step again)
            throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"))) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
                LiveWorker.create(catalog, "per_second" + LiveWorker.ROWS);
            }
            LiveWorker live = new LiveWorker(directory, disk.directory().resolve("outbox"), kafka);
            live.awaitNote("--outbox-size 8 is of rows and of windows each: the disk of ");
            live.write(PACKETS);
            int first = live.rows();
            live.awaitStage("outbox rows", rows -> rows.offered() >= first);
            over.run();
            live.awaitNote("the outbox of rows can write to its disk again");
            live.write(PACKETS);
            ResultRows.await(kafka, "per_second", rows -> !rows.isEmpty());
            again.run();
            live.write(PACKETS);
            int more = live.rows();
            live.awaitStage(
                    "outbox rows",
                    rows -> rows.offered() >= more && rows.lost().containsKey(reason));
            over.run();
            live.write(PACKETS);
            Stage.Snapshot rows = LiveWorker.stage(live.end(), "outbox rows");
            long lost = rows.lost().getOrDefault(reason, 0L);
            assertTrue(lost > 0, rows.toString());
            assertEquals(live.rows(), rows.offered(), rows.toString());
            assertEquals(live.rows(), ResultRows.all(kafka, "per_second").size() + lost);
        }
    }
}
