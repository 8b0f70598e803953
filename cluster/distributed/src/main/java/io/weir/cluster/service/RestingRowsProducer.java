package io.weir.cluster.service;

import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.RestingRows;
import io.weir.cluster.node.RowProducer;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowSink;
import java.util.function.Function;

/** Answers a SELECT with sub-queries, unions or joins over the last windows of running queries. */
final class RestingRowsProducer implements RowProducer {
    private final Query select;
    private final Function<String, Query> named;
    private final Function<String, RowProducer> rows;
    private volatile RowProducer reading;
    private volatile boolean stopped;

    /**
     * @param named finds a query of the catalogue
     * @param rows reads the last window of one
     */
    RestingRowsProducer(
            Query select, Function<String, Query> named, Function<String, RowProducer> rows) {
        this.select = select;
        this.named = named;
        this.rows = rows;
    }

    @Override
    public void produce(RowSink sink) {
        try (RestingRows resting = new RestingRows(select, NodeSettings.DEFAULT, named, sink)) {
            for (String input : resting.inputs()) {
                reading = rows.apply(input);
                if (!stopped) {
                    reading.produce(batch -> resting.rows(input, batch));
                }
            }
            if (!stopped) {
                resting.finish();
            }
        }
    }

    @Override
    public void stop() {
        stopped = true;
        RowProducer now = reading;
        if (now != null) {
            now.stop();
        }
    }
}
