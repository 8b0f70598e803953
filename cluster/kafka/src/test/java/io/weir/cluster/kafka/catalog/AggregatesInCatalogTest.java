package io.weir.cluster.kafka.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.DefinedAggregate;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Aggregates of users in a cluster's catalogue. */
class AggregatesInCatalogTest {
    @TempDir private Path directory;

    /** Another process calls it; a query that was planned outlives it, also in a late reader. */
    @Test
    void aggregatesAreInTheCatalogueOfAllProcesses() throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.startAlone(directory);
        KafkaSettings settings = KafkaSettings.of(broker.bootstrap());
        String text =
                "CREATE AGGREGATE twice() STATE (n BIGINT = 0) UPDATE n = n + 2 RETURN n"
                        + " MERGE n = n + other.n";
        try (KafkaCatalog one = KafkaCatalog.open(settings, "one");
                KafkaCatalog two = KafkaCatalog.open(settings, "two")) {
            Statement made = new SqlFrontend(one).parse(text).get(0);
            DefinedAggregate twice = ((Statement.CreateAggregate) made).aggregate();
            one.create(twice, false);
            assertEquals(
                    ErrorCode.INVALID_QUERY,
                    assertThrows(WeirException.class, () -> two.create(twice, false)).code());
            CatalogState known = two.state();
            while (known.aggregate("twice").isEmpty()) {
                known = two.awaitOther(known, 1_000);
            }
            String sql = "CREATE QUERY q AS SELECT twice(*) AS n FROM packets";
            Statement create = new SqlFrontend(two).parse(sql).get(0);
            two.create(((Statement.CreateQuery) create).query(), false);
            two.dropAggregate("twice", false);
            assertThrows(WeirException.class, () -> two.dropAggregate("twice", false));
            two.dropAggregate("twice", true);
        }
        CatalogState late = KafkaCatalog.look(settings);
        assertEquals(List.of(), late.aggregates());
        assertEquals(List.of(), late.faults());
        assertEquals(
                "TWICE",
                late.find("q")
                        .orElseThrow()
                        .aggregate()
                        .orElseThrow()
                        .folds()
                        .get(0)
                        .fold()
                        .name());
        broker.close();
    }
}
