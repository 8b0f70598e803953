package io.weir.cluster.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.RawRecords;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.launcher.Cli;
import io.weir.cluster.service.TinyCluster;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.StageCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real cluster, healthy and then broken in one way after the other. */
class DoctorTest {
    private static final long PATIENCE_MS = 120_000;

    /** Where no worker's silence is judged. */
    private static final Duration SHORT = Duration.ofMillis(1_500);

    @TempDir private Path directory;

    private static List<Finding> examine(
            KafkaSettings kafka, List<String> urls, Duration watch, String... workers)
            throws InterruptedException {
        return new Doctor(
                        Optional.of(kafka),
                        urls,
                        new Properties(),
                        Set.of(workers),
                        watch,
                        finding -> {})
                .run();
    }

    private static Finding of(List<Finding> findings, String stage) {
        return findings.stream().filter(f -> f.stage().equals(stage)).findFirst().orElseThrow();
    }

    private static Finding broken(List<Finding> findings) {
        return findings.stream().filter(Finding::isBroken).findFirst().orElseThrow();
    }

    @Test
    void aHealthyClusterThenABrokenOne() throws Exception {
        try (TinyCluster cluster = new TinyCluster(directory, "a", "b")) {
            cluster.createQueries();
            cluster.await("server", "weir_merge_rows_total", n -> n > 0);
            KafkaSettings kafka = cluster.kafka();
            List<String> urls = List.of(cluster.url());

            List<Finding> healthy = await(kafka, urls, SHORT, "merge", f -> !f.isBroken());
            assertFalse(healthy.stream().anyMatch(Finding::isBroken), healthy.toString());
            assertEquals(
                    Finding.ok("transactions", "a killed worker's are given up after 11 s at most"),
                    of(healthy, "transactions"));
            assertEquals("alive: a, b", of(healthy, "workers").about());
            assertTrue(of(healthy, "catalogue").about().startsWith("2 queries"));
            assertTrue(of(healthy, "sql server").about().endsWith("shows 2 queries"));
            assertTrue(of(healthy, "packets").about().endsWith("none lost"));

            List<Finding> expecting = examine(kafka, urls, SHORT, "a", "c");
            assertEquals("c: not heard of", broken(expecting).about());

            cluster.stop("b");
            List<Finding> ended =
                    await(kafka, urls, Doctor.WATCH, "workers", f -> f.about().contains("b: "));
            assertFalse(ended.stream().anyMatch(Finding::isBroken), ended.toString());
            assertTrue(
                    of(ended, "workers").about().startsWith("alive: a; b: ended in order"),
                    ended.toString());
            assertTrue(
                    broken(examine(kafka, urls, SHORT, "b")).about().startsWith("b: ended"),
                    "whoever is wanted alive is missed");

            byte[] killed =
                    Heartbeat.newBuilder().setFormat(1).setWorker("k").build().toByteArray();
            RawRecords.write(kafka, Topics.HEARTBEATS, "k", killed);
            List<Finding> silent = await(kafka, urls, Doctor.WATCH, "workers", Finding::isBroken);
            assertEquals("workers", broken(silent).stage());
            assertTrue(broken(silent).about().startsWith("k: silent for"), silent.toString());

            RawRecords.write(kafka, Topics.CATALOG, "poison", new byte[] {1, 2, 3});
            Finding poisoned = broken(await(kafka, urls, SHORT, "catalogue", Finding::isBroken));
            assertTrue(poisoned.about().contains("the first is of poison"), poisoned.about());

            RawRecords.configure(kafka, Topics.CATALOG, "cleanup.policy", "delete");
            List<Finding> deleting = await(kafka, urls, SHORT, "topics", Finding::isBroken);
            assertEquals("weir.catalog is not compacted", broken(deleting).about());
            assertEquals(Finding.State.SKIPPED, of(deleting, "workers").state());
        }
    }

    private List<Finding> await(
            KafkaSettings kafka,
            List<String> urls,
            Duration watch,
            String stage,
            Predicate<Finding> wanted)
            throws InterruptedException {
        long deadline = System.currentTimeMillis() + PATIENCE_MS;
        while (true) {
            List<Finding> findings = examine(kafka, urls, watch);
            if (wanted.test(of(findings, stage))) {
                return findings;
            }
            assertTrue(System.currentTimeMillis() < deadline, findings.toString());
        }
    }

    /** Heartbeats of workers as they would be with each fault: a clock, losses, a full outbox. */
    @Test
    void whatWorkersSayIsWeighed() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"))) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            assertEquals("topics", broken(examine(kafka, List.of(), SHORT)).stage());
            Topics.ensure(kafka);
            Finding nobody = broken(examine(kafka, List.of(), SHORT));
            assertEquals("none is alive", nobody.about());

            List<Finding> fine = hearing(kafka, beat -> beat.setRowsSent(1));
            assertFalse(fine.stream().anyMatch(Finding::isBroken), fine.toString());
            assertEquals("nobody merges", of(fine, "merge").about());

            long aheadMs = 5_000;
            Finding clock =
                    broken(hearing(kafka, b -> b.setSentMs(System.currentTimeMillis() + aheadMs)));
            assertEquals("clocks", clock.stage());
            assertTrue(clock.about().contains("ahead of this machine"), clock.about());

            long[] lost = {0};
            Finding losing =
                    broken(
                            hearing(
                                    kafka,
                                    beat ->
                                            beat.addStage(
                                                    StageCounts.newBuilder()
                                                            .setName("queries")
                                                            .putLost("state_full", ++lost[0]))));
            assertEquals("packets", losing.stage());
            assertTrue(losing.about().contains("state_full at queries of fake"), losing.about());

            Finding stuck = broken(hearing(kafka, b -> b.setRowsWaiting(5).setRowsSent(9)));
            assertEquals("outbox", stuck.stage());
            assertTrue(stuck.about().endsWith("none is sent"), stuck.about());
            Finding told =
                    broken(
                            hearing(
                                    kafka,
                                    b ->
                                            b.setRowsWaiting(5)
                                                    .setRowsSent(9)
                                                    .setRowsTrouble("too large")));
            assertTrue(told.about().endsWith("none is sent (too large)"), told.about());

            RawRecords.configure(kafka, Topics.HEARTBEATS, "retention.ms", "1000");
            List<Finding> short1 = hearing(kafka, beat -> beat.setRowsSent(1));
            assertEquals(Finding.State.NOTE, of(short1, "topics").state());
        }
    }

    /** The findings while a worker of that kind is heard. */
    private static List<Finding> hearing(KafkaSettings kafka, Consumer<Heartbeat.Builder> kind)
            throws Exception {
        CountDownLatch said = new CountDownLatch(1);
        Thread worker =
                new Thread(
                        () -> {
                            try {
                                while (!Thread.currentThread().isInterrupted()) {
                                    Heartbeat.Builder beat =
                                            Heartbeat.newBuilder()
                                                    .setFormat(1)
                                                    .setWorker("fake")
                                                    .setLife("1")
                                                    .setPackets(10)
                                                    .setSentMs(System.currentTimeMillis());
                                    kind.accept(beat);
                                    RawRecords.write(
                                            kafka,
                                            Topics.HEARTBEATS,
                                            "fake",
                                            beat.build().toByteArray());
                                    said.countDown();
                                    Thread.sleep(100);
                                }
                            } catch (Exception e) {
                                return; // the test is over
                            }
                        });
        worker.start();
        try {
            assertTrue(said.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
            return examine(kafka, List.of(), SHORT);
        } finally {
            worker.interrupt();
            worker.join();
        }
    }

    @Test
    void withoutKafkaTheCommandSaysSoAndFails() {
        int port = EmbeddedBroker.freePort();
        long begunNs = System.nanoTime();
        Cli.Result result =
                Cli.run(
                        "doctor",
                        "--kafka",
                        "127.0.0.1:" + port,
                        "--url",
                        "jdbc:weir://127.0.0.1:" + EmbeddedBroker.freePort());
        long tookS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNs);
        String text = result.out();
        assertEquals(1, result.code(), text);
        assertTrue(text.contains("BROKEN  kafka"), text);
        Matcher said = Pattern.compile("no answer in (\\d+) s").matcher(text);
        assertTrue(said.find() && Long.parseLong(said.group(1)) <= tookS, tookS + " s: " + text);
        assertTrue(text.contains("skipped merge"), text);
        assertTrue(text.contains("BROKEN  sql server"), text);
        assertTrue(text.endsWith("first broken stage: kafka\n"), text);
    }

    @Test
    void aMachineIsLookedAtByItsFiles() throws Exception {
        Path thp = directory.resolve("sys/kernel/mm/transparent_hugepage/enabled");
        Path proc = directory.resolve("proc/self/limits");
        Files.createDirectories(thp.getParent());
        Files.createDirectories(proc.getParent());
        Files.writeString(thp, "always madvise [never]\n");
        Files.writeString(directory.resolve("proc/meminfo"), "MemAvailable:    1000000 kB\n");
        Files.writeString(proc, "Max open files            1024                 4096\n");
        List<Finding> poor = new MachineChecks(directory, 21).run();
        assertEquals("java", broken(poor).stage());
        for (String stage : List.of("memory", "large pages", "open files")) {
            assertEquals(Finding.State.NOTE, of(poor, stage).state(), stage);
        }
        Files.writeString(thp, "always [madvise] never\n");
        Files.writeString(directory.resolve("proc/meminfo"), "MemAvailable:    9000000 kB\n");
        Files.writeString(proc, "Max open files            8192                 8192\n");
        List<Finding> rich = new MachineChecks(directory, 17).run();
        assertTrue(rich.stream().allMatch(f -> f.state() == Finding.State.OK), rich.toString());
    }
}
