package io.weir.cluster.service;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.results.ResultTopic;
import io.weir.cluster.node.RowProducer;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;

/** Answers SUBSCRIBE: a query's rows from now on. */
final class TailProducer implements RowProducer {
    private final Query query;
    private final ResultTopic topic;

    TailProducer(KafkaSettings kafka, Query query) {
        this.query = query;
        this.topic = new ResultTopic(kafka, query.name());
    }

    @Override
    public void produce(RowSink sink) {
        RowBatches batches = new RowBatches(query);
        topic.tail(
                results -> {
                    try (RowBatch batch = batches.of(results)) {
                        sink.rows(batch);
                    }
                });
    }

    @Override
    public void stop() {
        topic.stop();
    }
}
