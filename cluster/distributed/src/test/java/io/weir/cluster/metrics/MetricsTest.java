package io.weir.cluster.metrics;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.cluster.kafka.RawRecords;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.service.TinyCluster;
import io.weir.cluster.wire.Heartbeat;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a whole cluster says of itself, page by page, while packets flow. */
class MetricsTest {
    @TempDir private Path directory;

    @Test
    void aPacketCanBeFollowedFromStageToStage() throws Exception {
        try (TinyCluster cluster = new TinyCluster(directory, "a", "b")) {
            cluster.createQueries();
            assertThrows(SQLException.class, () -> cluster.execute("DROP QUERY nothing"));
            assertThrows(SQLException.class, () -> cluster.execute("SELECT FROM"));

            for (String stage : new String[] {"capture", "cache", "blocks", "pipeline"}) {
                cluster.await("worker-a", stage("processed", stage), n -> n > 0);
            }
            cluster.await("worker-a", stage("processed", "query:here"), n -> n > 0);
            cluster.await("worker-a", stage("processed", "outbox rows"), n -> n > 0);
            cluster.await(
                    "worker-a", "weir_query_state_bytes{query=\"here\",worker=\"a\"}", n -> n > 0);
            cluster.await(
                    "worker-b", "weir_queries{state=\"elsewhere\",worker=\"b\"}", n -> n == 1);
            cluster.await("worker-b", "weir_queries{state=\"running\",worker=\"b\"}", n -> n == 1);
            cluster.await("worker-b", "weir_kernel_compiles_total{worker=\"b\"}", n -> n == 1);
            cluster.await("worker-b", "weir_heartbeat_age_seconds{worker=\"b\"}", n -> n < 5);
            cluster.await("worker-b", "weir_partials_bytes_total{worker=\"b\"}", n -> n > 0);
            cluster.await("worker-b", "weir_outbox_limit_bytes{worker=\"b\"}", n -> n == 8 << 20);

            cluster.await("server", "weir_merge_rows_total", n -> n > 0);
            cluster.await("server", "weir_worker_missing{worker=\"b\"}", n -> n == 0);
            cluster.await("server", "weir_worker_catalog_lag{worker=\"b\"}", n -> n == 0);
            cluster.await("server", "weir_catalog_queries", n -> n == 2);
            // Avatica's client says again what was refused: so at least.
            cluster.await("server", "weir_statements_total", n -> n >= 4);
            String refused = "weir_statements_refused_total{error=";
            cluster.await("server", refused + "\"UNKNOWN_QUERY\"}", n -> n >= 1);
            cluster.await("server", refused + "\"SYNTAX\"}", n -> n >= 1);
            String lag = "weir_kafka_lag_records{partition=\"0\",topic=\"weir.windows\"}";
            cluster.await("server", lag, n -> n >= 0);
            cluster.await("broker", "weir_broker_messages_in_total", n -> n > 0);
            cluster.await("broker", "weir_broker_disk_free_bytes", n -> n > 0);
            cluster.await("broker", "weir_role{role=\"broker\"}", n -> n == 1);

            cluster.stop("b");
            cluster.await("server", "weir_worker_ended{worker=\"b\"}", n -> n == 1);
            cluster.await("server", "weir_worker_silent_seconds{worker=\"b\"}", n -> n > 3);
            cluster.await("server", "weir_worker_missing{worker=\"b\"}", n -> n == 0);
            byte[] killed =
                    Heartbeat.newBuilder().setFormat(1).setWorker("c").build().toByteArray();
            RawRecords.write(cluster.kafka(), Topics.HEARTBEATS, "c", killed);
            cluster.await("server", "weir_worker_missing{worker=\"c\"}", n -> n == 1);
            cluster.await("server", "weir_worker_ended{worker=\"c\"}", n -> n == 0);
        }
    }

    private static String stage(String what, String stage) {
        return "weir_stage_" + what + "_total{stage=\"" + stage + "\",worker=\"a\"}";
    }
}
