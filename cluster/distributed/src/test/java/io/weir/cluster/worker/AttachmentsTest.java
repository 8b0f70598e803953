package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.format.FakeRegistry;
import io.weir.cluster.format.RowFormat;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.catalog.TestCatalogs;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.sink.OutputSink;
import io.weir.cluster.wire.QueryState.State;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Account;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.time.Clock;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalogue changes just when the engine has ended queries by itself. */
class AttachmentsTest {
    private static final String BASE =
            "CREATE QUERY base AS SELECT COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);";
    private static final String OVER = "CREATE QUERY above AS SELECT n FROM base WHERE n > 10;";
    private static final String ELSEWHERE =
            "CREATE QUERY base AS SELECT COUNT(*) AS n FROM packets WHERE node_id = 'b'"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);";
    private static final String OTHER =
            "CREATE QUERY base AS SELECT COUNT(*) AS n, 7 AS seven FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);";

    private static final String TOO_MUCH =
            "CREATE QUERY base AS SELECT COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '2' SECOND) WITH (memory = '64GB');";

    @TempDir private Path directory;
    private EmbeddedBroker broker;
    private FakeRegistry registry;
    private Outboxes outboxes;
    private LocalEngine engine;
    private Attachments attachments;

    @BeforeEach
    void start() throws Exception {
        registry = new FakeRegistry();
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        KafkaSettings kafka =
                KafkaSettings.of(broker.bootstrap())
                        .with(new RowFormats(RowFormat.AVRO, Optional.empty(), registry.client()));
        KafkaCatalog.open(kafka, "test").close(); // makes the topics
        WorkerSettings settings =
                new WorkerSettings(
                        "a",
                        List.of(SourceSpec.pcap("a", directory.resolve("a.pcap"))),
                        NodeSettings.DEFAULT,
                        ReplayOptions.AT_ONCE,
                        directory.resolve("outbox"),
                        Outbox.LEAST_BYTES,
                        true);
        Account account = new Account();
        engine = new LocalEngine(settings.node().engine().forLive(), account);
        outboxes = new Outboxes(settings, kafka, "1", account, e -> {});
        PartialSender partials =
                new PartialSender(new WorkerEpoch("a", "1"), 1, 9000, (s, p) -> {});
        RemoteWakes wakes = new RemoteWakes(engine, partials, settledNs -> {});
        WorkerEngine worker =
                new WorkerEngine(
                        settings,
                        engine,
                        outboxes,
                        kafka.rows(),
                        NOBODY,
                        wakes,
                        partials,
                        Optional.empty());
        ConditionWatches watches =
                new ConditionWatches(
                        engine,
                        Clock.SYSTEM,
                        "a",
                        outboxes.made(),
                        outboxes.conditions(),
                        message -> {});
        attachments = new Attachments(settings, worker, watches);
        engine.start();
    }

    private static final OutputSink NOBODY =
            new OutputSink() {
                @Override
                public void rows(RowBatch batch) {}

                @Override
                public void close() {}
            };

    @AfterEach
    void stop() {
        engine.close();
        outboxes.close();
        broker.close();
        registry.close();
    }

    private static List<Query> queries(String text) {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        return node.load(node.frontend().parse(text)).queries();
    }

    private static CatalogState catalog(List<Query> queries, long... versions) {
        Map<Query, Long> all = new LinkedHashMap<>();
        IntStream.range(0, queries.size()).forEach(q -> all.put(queries.get(q), versions[q]));
        return TestCatalogs.of(all);
    }

    /** As the engine does it: who follows the catalogue may have looked just before. */
    private void endsByItself(Query query) {
        engine.drop(query.name());
        attachments.failed(query, new WeirException(ErrorCode.BUDGET_EXCEEDED, "too many"));
    }

    private List<String> standing() {
        return attachments.standing().stream().map(s -> s.name() + " " + s.state()).toList();
    }

    private int states() {
        engine.throttle().settle(); // those that were dropped end before the next block
        return engine.attachedStates();
    }

    /** Those that need it are dropped with it. */
    @Test
    void whatNeedsADroppedOneHasEnded() {
        List<Query> queries = queries(BASE + OVER);
        attachments.follow(catalog(queries, 1, 2));
        assertEquals(List.of("base RUNNING", "above RUNNING"), standing());
        endsByItself(queries.get(1));
        List<Query> later = queries(ELSEWHERE + OVER);
        attachments.follow(catalog(List.of(later.get(0), queries.get(1)), 3, 2));
        assertEquals(List.of("base ELSEWHERE", "above FAILED"), standing());
        assertEquals(0, states());
    }

    /** Its end comes after the look at what has ended: it stops nobody. */
    @Test
    void whatIsDroppedHasEnded() {
        List<Query> queries = queries(BASE);
        attachments.follow(catalog(queries, 1));
        engine.drop("base");
        attachments.follow(TestCatalogs.of(Map.of()));
        assertEquals(List.of(), standing());
        attachments.follow(catalog(queries, 2));
        assertEquals(List.of("base RUNNING"), standing());
    }

    /** While its successor is on its way into the engine. */
    @Test
    void oneThatIsReplacedHasEnded() {
        List<Query> queries = queries(BASE);
        attachments.follow(catalog(queries, 1));
        int states = states();
        registry.first(() -> endsByItself(queries.get(0)));
        List<Query> later = queries(OTHER);
        attachments.follow(catalog(later, 2));
        registry.first(() -> {});
        assertEquals(List.of("base RUNNING"), standing());
        attachments.follow(catalog(later, 2));
        assertEquals(List.of("base RUNNING"), standing());
        assertEquals(states, states());
    }

    /** Its successor has been written down already: what reads it begins anew with that. */
    @Test
    void whatReadsOneThatHasEndedReadsItsSuccessor() {
        List<Query> queries = queries(BASE + OVER);
        attachments.follow(catalog(queries, 1, 2));
        engine.retire("base"); // what reads it stays, as where it ends by itself
        attachments.failed(
                queries.get(0), new WeirException(ErrorCode.BUDGET_EXCEEDED, "too many"));
        attachments.follow(catalog(List.of(queries(OTHER).get(0), queries.get(1)), 3, 2));
        assertEquals(List.of("base RUNNING", "above RUNNING"), standing());
        assertThrows(WeirException.class, () -> engine.drop("base"), "nobody reads it");
    }

    /** The catalogue does not have the version before any more. */
    @Test
    void oneWhoseSuccessorIsRefusedEnds() {
        List<Query> queries = queries(BASE + OVER);
        attachments.follow(catalog(queries, 1, 2));
        int states = states();
        List<Query> later = queries(TOO_MUCH + OVER);
        attachments.follow(catalog(later, 3, 2));
        assertEquals(List.of("base FAILED", "above FAILED"), standing());
        assertEquals(0, states());
        attachments.follow(catalog(List.of(queries.get(0), later.get(1)), 4, 2));
        assertEquals(List.of("base RUNNING", "above RUNNING"), standing());
        assertEquals(states, states());
    }

    /** Until it is replaced again. */
    @Test
    void whatWasLostOfTheVersionBeforeIsTold() {
        List<Query> queries = queries(BASE);
        attachments.follow(catalog(queries, 1));
        attachments.follow(catalog(queries(OTHER), 2));
        WeirException none = new WeirException(ErrorCode.OUT_OF_NATIVE_MEMORY, "no memory");
        attachments.lost(queries.get(0), 30, none);
        attachments.lost(queries.get(0), 12, none);
        Attachments.Standing told = attachments.standing().get(0);
        assertEquals(State.RUNNING, told.state());
        String about =
                "last windows of the version before, with 42 packets, were not made: no memory";
        assertEquals(about, told.about());
        attachments.follow(catalog(queries, 3));
        assertEquals("", attachments.standing().get(0).about());
    }
}
