package io.weir.cluster.kafka.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.catalog.MemoryCatalog;
import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Releases;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.CatalogRecord;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.testing.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaCatalogTest {
    private static final int EDITS_EACH = 25;
    private static final int NAMES = 6;

    @TempDir private Path directory;
    private EmbeddedBroker broker;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.startAlone(directory);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** A topic that somebody has deleted is made again, and one that is there is left alone. */
    @Test
    void topicsOfRowsAreMadeAndMadeAgain() throws Exception {
        try (KafkaCatalog catalog = KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "one");
                Admin admin = Admin.create(KafkaSettings.of(broker.bootstrap()).client("test"))) {
            catalog.ensureResults(List.of("kept", "deleted"));
            List<String> deleted = List.of(Topics.results("deleted"));
            KafkaCalls.await(admin.deleteTopics(deleted).all());
            Await.until(() -> !KafkaCalls.await(admin.listTopics().names()).containsAll(deleted));
            catalog.ensureResults(List.of("kept", "deleted"));
            assertTrue(
                    KafkaCalls.await(admin.listTopics().names())
                            .containsAll(
                                    List.of(Topics.results("kept"), Topics.results("deleted"))));
        }
    }

    private static void assertOtherShards(int there, Runnable opening) {
        WeirException refused = assertThrows(WeirException.class, opening::run);
        assertEquals(ErrorCode.INVALID_OPTION, refused.code());
        assertEquals("start it with --shards " + there, refused.hint().orElseThrow());
    }

    /** The first process chooses the number of shards; others with another number end. */
    @Test
    void aClusterHasTheShardsOfItsFirstProcess() {
        KafkaSettings seven = KafkaSettings.of(broker.bootstrap()).withShards(7);
        KafkaCatalog.openForWorker(seven, "first").close();
        KafkaCatalog.open(seven, "server").close();
        KafkaSettings four = KafkaSettings.of(broker.bootstrap());
        assertOtherShards(7, () -> KafkaCatalog.open(four, "server").close());
        assertOtherShards(7, () -> KafkaCatalog.openForWorker(four, "worker").close());
        assertThrows(WeirException.class, () -> four.withShards(0));
        assertThrows(WeirException.class, () -> four.withShards(KafkaSettings.MOST_SHARDS + 1));
    }

    /**
     * Three servers edit at once; what is there in the end is what one after the other gives, and
     * each change has its one note.
     */
    @Test
    void concurrentEditsHaveOneOrder() throws Exception {
        long seed = Long.getLong("weir.seed", 1);
        List<KafkaCatalog> catalogs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            catalogs.add(KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "server " + i));
        }
        AtomicInteger done = new AtomicInteger();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        List<Thread> editors = new ArrayList<>();
        for (KafkaCatalog catalog : catalogs) {
            Random random = new Random(seed + editors.size());
            editors.add(
                    new Thread(
                            () -> {
                                try {
                                    for (int i = 0; i < EDITS_EACH; i++) {
                                        done.addAndGet(edit(catalog, random) ? 1 : 0);
                                    }
                                } catch (Throwable e) {
                                    failures.add(e);
                                }
                            }));
        }
        editors.forEach(Thread::start);
        for (Thread editor : editors) {
            editor.join();
        }
        assertEquals(List.of(), failures, "seed " + seed);
        assertTrue(done.get() > NAMES, done + " edits, seed " + seed);

        List<ConsumerRecord<byte[], byte[]>> log =
                CommittedRecords.of(KafkaSettings.of(broker.bootstrap()), Topics.CATALOG);
        assertEquals(done.get(), log.size(), "seed " + seed);
        assertEquals(
                log.stream().map(KafkaCatalogTest::change).toList(),
                CommittedRecords.of(KafkaSettings.of(broker.bootstrap()), Topics.AUDIT).stream()
                        .map(KafkaCatalogTest::text)
                        .toList(),
                "seed " + seed);
        List<String> expected = texts(replayed(log).all());
        KafkaCatalog late = KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "late");
        catalogs.add(late);
        for (KafkaCatalog catalog : catalogs) {
            awaitOffset(catalog, late.state().offset());
            assertEquals(expected, texts(catalog.all()), "seed " + seed);
            assertEquals(versions(late), versions(catalog), "seed " + seed);
            assertEquals(List.of(), catalog.state().faults());
        }
        catalogs.forEach(KafkaCatalog::close);
    }

    /** Whether it changed anything; what the catalogue refuses changes nothing. */
    private static boolean edit(KafkaCatalog catalog, Random random) {
        String name = "q" + random.nextInt(NAMES);
        String other = "q" + random.nextInt(NAMES);
        try {
            if (random.nextInt(4) == 0) {
                catalog.drop(name, false, Optional.of(noting(name)));
            } else {
                boolean replace = random.nextInt(3) > 0;
                String from =
                        switch (random.nextInt(3)) {
                            case 0 -> "packets";
                            case 1 -> "packets WHEN " + other + ".n > " + random.nextInt(9);
                            default -> other;
                        };
                String what = from.startsWith("packets") ? "COUNT(*) AS n, src_addr" : "n";
                String rest = from.startsWith("packets") ? " GROUP BY src_addr" : "";
                int when = from.indexOf(" WHEN");
                String sql =
                        "CREATE "
                                + (replace ? "OR REPLACE " : "")
                                + ("QUERY " + name + " AS SELECT " + what + " FROM ")
                                + (when < 0
                                        ? from + rest
                                        : "packets" + rest + from.substring(when));
                Query query = Planning.create(sql, catalog).query();
                var unused = catalog.create(query, replace, Optional.of(noting(name)));
            }
            return true;
        } catch (WeirException e) {
            assertEquals(ErrorCode.Kind.USER, e.code().kind(), e.text());
            return false;
        }
    }

    private static AuditNoting noting(String query) {
        return version ->
                new AuditNoting.Note(
                        "somebody", 1, (query + " " + version).getBytes(StandardCharsets.UTF_8));
    }

    /** What its note says. */
    private static String change(ConsumerRecord<byte[], byte[]> record) {
        OptionalLong version =
                record.value() == null ? OptionalLong.empty() : OptionalLong.of(record.offset());
        return new String(record.key(), StandardCharsets.UTF_8) + " " + version;
    }

    private static String text(ConsumerRecord<byte[], byte[]> note) {
        return new String(note.value(), StandardCharsets.UTF_8);
    }

    /** Whatever comes between a change and its note: there are both or neither. */
    @Test
    void aChangeThatIsNotMadeLeavesNoNote() {
        try (KafkaCatalog first = KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "first");
                KafkaCatalog second =
                        KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "second")) {
            AuditNoting broken =
                    version -> {
                        throw new WeirException(ErrorCode.KAFKA_UNAVAILABLE, "no note " + version);
                    };
            WeirException e =
                    assertThrows(
                            WeirException.class,
                            () -> first.create(counting("a"), false, Optional.of(broken)));
            assertTrue(e.getMessage().startsWith("no note OptionalLong["), e.getMessage());
            assertEquals(List.of(), first.names());

            // Its record is in the topic when another comes between, who makes one of that name.
            int[] attempts = {0};
            AuditNoting late =
                    version -> {
                        if (attempts[0]++ == 0) {
                            second.create(counting("a"), false, Optional.of(noting("a")));
                        }
                        return noting("never").of(version);
                    };
            e =
                    assertThrows(
                            WeirException.class,
                            () -> first.create(counting("a"), false, Optional.of(late)));
            assertEquals(ErrorCode.DUPLICATE_QUERY, e.code());
            // And one that is made all the same, at the second attempt.
            AuditNoting again =
                    version -> {
                        if (attempts[0]++ == 1) {
                            second.drop("a", false, Optional.of(noting("a")));
                        }
                        return noting("a").of(version);
                    };
            Query another =
                    Planning.create(
                                    "CREATE OR REPLACE QUERY a AS SELECT COUNT(*) AS m FROM packets",
                                    CatalogState.EMPTY)
                            .query();
            var unused = first.create(another, true, Optional.of(again));
            assertEquals(3, attempts[0]);
            first.drop("none", true, Optional.of(noting("none")));

            List<String> changes = new ArrayList<>();
            CommittedRecords.of(KafkaSettings.of(broker.bootstrap()), Topics.CATALOG)
                    .forEach(record -> changes.add(change(record)));
            assertEquals(3, changes.size());
            changes.add("none " + OptionalLong.empty()); // nothing to do is noted too
            assertEquals(
                    changes,
                    CommittedRecords.of(KafkaSettings.of(broker.bootstrap()), Topics.AUDIT).stream()
                            .map(KafkaCatalogTest::text)
                            .toList());
        }
    }

    private static Query counting(String name) {
        return counting(name, "packets");
    }

    private static MemoryCatalog replayed(List<ConsumerRecord<byte[], byte[]>> log)
            throws Exception {
        MemoryCatalog model = new MemoryCatalog();
        for (ConsumerRecord<byte[], byte[]> record : log) {
            if (record.value() == null) {
                model.drop(new String(record.key(), StandardCharsets.UTF_8), false);
            } else {
                var create =
                        Planning.create(CatalogRecord.parseFrom(record.value()).getSql(), model);
                model.create(create.query(), create.orReplace());
            }
        }
        return model;
    }

    private static List<String> texts(List<Query> queries) {
        return queries.stream().map(query -> query.name() + ": " + query.sql()).toList();
    }

    private static List<String> versions(KafkaCatalog catalog) {
        return catalog.state().definitions().values().stream()
                .map(d -> d.name() + " " + d.version() + " " + d.place())
                .toList();
    }

    private static void awaitOffset(KafkaCatalog catalog, long offset) throws Exception {
        CatalogState state = catalog.state();
        while (state.offset() < offset) {
            state = catalog.awaitOther(state, 10_000);
        }
    }

    /**
     * What cannot be read is set aside and told of; all others stay; the name can be used again.
     */
    @Test
    void aPoisonRecordIsSetAside() throws Exception {
        try (KafkaCatalog first = KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "first");
                KafkaCatalog second =
                        KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "second")) {
            first.create(counting("p1", "packets"), true);
            first.create(counting("p2", "packets"), true);
            poison("p1", new byte[] {1, 2, 3});
            poison(
                    "p3",
                    CatalogRecord.newBuilder().setFormat(99).setSql("x").build().toByteArray());
            poison(
                    "p4",
                    CatalogRecord.newBuilder()
                            .setFormat(1)
                            .setSql("CREATE QUERY p4 AS SELECT nothing FROM packets")
                            .build()
                            .toByteArray());
            for (KafkaCatalog catalog : List.of(first, second)) {
                CatalogState state = catalog.state();
                while (state.faults().size() < 3) {
                    state = catalog.awaitOther(state, 10_000);
                }
                assertEquals(
                        List.of("p1", "p3", "p4"),
                        state.faults().stream().map(Fault::name).sorted().toList());
                assertTrue(state.find("p2").isPresent());
                assertTrue(state.find("p1").isEmpty());
            }
            second.create(counting("p1", "packets"), false);
            second.drop("p3", true);
            second.drop("p4", true);
            assertEquals(List.of(), second.state().faults());
            assertTrue(second.find("p1").isPresent());
            WeirException e =
                    assertThrows(WeirException.class, () -> second.drop("nothing", false));
            assertEquals(ErrorCode.UNKNOWN_QUERY, e.code());
            second.drop("p1", false);
            second.drop("p2", false);
        }
    }

    /** A definition of a later release in the same format is one as any. */
    @Test
    void whatALaterReleaseSaysBesidesIsPassedOver() throws Exception {
        CatalogRecord record =
                CatalogRecord.newBuilder()
                        .setFormat(Planning.FORMAT)
                        .setSql("CREATE QUERY later AS SELECT COUNT(*) AS n FROM packets")
                        .build();
        byte[] value = Releases.later(record, new Random(59)).toByteArray();
        CatalogState state =
                Planning.plan(
                        List.of(new Planning.Entry("later", 4, value)), CatalogState.EMPTY, 5);
        assertEquals(List.of(), state.faults());
        assertEquals(4, state.definitions().get("later").version());
    }

    private static Query counting(String name, String from) {
        return Planning.create(
                        "CREATE QUERY " + name + " AS SELECT COUNT(*) AS n FROM " + from,
                        CatalogState.EMPTY)
                .query();
    }

    private void poison(String name, byte[] value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        KafkaSettings.of(broker.bootstrap()).client("poison"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            byte[] key = name.getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(Topics.CATALOG, 0, key, value)).get();
        }
    }
}
