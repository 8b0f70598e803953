package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.node.PcapFile;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slices that fail: a process tries again, and leaves them to others where that is in vain. */
@Timeout(300)
final class SliceWorkersTest {
    private static final int SLICES = 2;
    private static final int PACKETS = 5_000;
    private static final long PATIENCE_S = 120;

    @TempDir private Path directory;
    private EmbeddedBroker broker;
    private KafkaSettings kafka;
    private SlicedReplay replay;
    private Path capture;
    private final LogLines log = LogLines.after("worker ");
    private final List<String> notes = log.texts();

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        kafka = KafkaSettings.of(broker.bootstrap());
        capture = new PcapFile().random(7, PACKETS).write(directory.resolve("capture.pcap"));
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            replay =
                    catalog.share(
                            new SlicedReplay(
                                    "trace",
                                    0,
                                    SLICES,
                                    Set.of("trace"),
                                    System.currentTimeMillis(),
                                    false,
                                    Double.POSITIVE_INFINITY,
                                    1,
                                    false));
        }
    }

    @AfterEach
    void stop() {
        log.close();
        broker.close();
    }

    /** Nothing lies under the outbox' name but a file, which no directory can be made in. */
    @Test
    void oneThatFailsIsTriedAgainAndCounted() throws Exception {
        Path outbox = Files.createFile(directory.resolve("outbox"));
        SliceWorkers workers = workers("A", outbox, Duration.ofSeconds(2));
        CompletableFuture<List<Stage.Snapshot>> counted =
                CompletableFuture.supplyAsync(workers::run);
        await("cannot be counted here, and is tried again: no outbox can be made", counted);
        Files.delete(outbox);
        List<Stage.Snapshot> account = counted.get(PATIENCE_S, TimeUnit.SECONDS);
        assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
        long processed =
                account.stream()
                        .filter(stage -> stage.stage().equals("pipeline"))
                        .mapToLong(Stage.Snapshot::offered)
                        .sum();
        assertEquals(PACKETS, processed, account.toString());
        long told = notes.stream().filter(note -> note.contains("tried again")).count();
        assertTrue(told <= SLICES, notes.toString());
    }

    @Test
    void whoCannotCountLeavesThemToOthers() throws Exception {
        Path none = Files.createFile(directory.resolve("none"));
        SliceWorkers broken = workers("A", none, Duration.ofMillis(100));
        CompletableFuture<List<Stage.Snapshot>> first = CompletableFuture.supplyAsync(broken::run);
        await("tried again", first);
        SliceWorkers whole = workers("B", directory.resolve("b"), Duration.ofMillis(100));
        CompletableFuture<List<Stage.Snapshot>> second = CompletableFuture.supplyAsync(whole::run);
        Exception ended =
                assertThrows(Exception.class, () -> first.get(PATIENCE_S, TimeUnit.SECONDS));
        assertTrue(ended.getCause() instanceof WeirException, ended.toString());
        assertEquals(
                ErrorCode.UNWRITABLE_OUTPUT, ((WeirException) ended.getCause()).code(), "" + ended);
        List<Stage.Snapshot> account = second.get(PATIENCE_S, TimeUnit.SECONDS);
        assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
        assertTrue(notes.containsAll(List.of("B takes 0", "B takes 1")), notes.toString());
    }

    private SliceWorkers workers(String node, Path outbox, Duration pause) {
        WorkerSettings settings = WorkerSettings.of(node, capture, ReplayOptions.AT_ONCE, outbox);
        return new SliceWorkers(settings, replay, kafka, listener(node), pauses(pause));
    }

    private static SliceRun.Pauses pauses(Duration first) {
        return new SliceRun.Pauses(first, Duration.ofMinutes(1));
    }

    private WorkerListener listener(String node) {
        return new WorkerListener() {
            @Override
            public void took(int slice, long passedNs) {
                notes.add(node + " takes " + slice);
            }
        };
    }

    private void await(String note, CompletableFuture<?> running) {
        Await.until(
                () -> {
                    boolean noted = notes.stream().anyMatch(text -> text.contains(note));
                    assertTrue(noted || !running.isDone(), notes.toString());
                    return noted;
                },
                notes::toString);
    }
}
