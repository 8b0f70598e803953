package io.weir.cluster.kafka.heartbeat;

import io.weir.cluster.wire.StageCounts;
import io.weir.operators.account.Stage;

/** Writes pages of an account into heartbeats and reads them. Stateless. */
public final class Pages {
    /**
     * The stage of packets that earlier, killed processes of a worker had read, and that at least
     * one query has in none of its rows.
     */
    public static final String EARLIER_PROCESSES = "earlier processes";

    private Pages() {}

    /** Makes the page without a name, and without reasons that have not occurred. */
    public static StageCounts.Builder of(Stage.Snapshot stage) {
        StageCounts.Builder counts =
                StageCounts.newBuilder()
                        .setOffered(stage.offered())
                        .setProcessed(stage.processed());
        stage.lost().entrySet().stream()
                .filter(why -> why.getValue() != 0)
                .forEach(why -> counts.putLost(why.getKey(), why.getValue()));
        stage.excluded().entrySet().stream()
                .filter(why -> why.getValue() != 0)
                .forEach(why -> counts.putExcluded(why.getKey(), why.getValue()));
        stage.inPart().entrySet().stream()
                .filter(why -> why.getValue() != 0)
                .forEach(why -> counts.putInPart(why.getKey(), why.getValue()));
        return counts;
    }

    /**
     * @param name of the stage
     */
    public static Stage.Snapshot read(String name, StageCounts counts) {
        return new Stage.Snapshot(
                name,
                counts.getOffered(),
                counts.getProcessed(),
                counts.getLostMap(),
                counts.getExcludedMap(),
                counts.getInPartMap());
    }
}
