package io.weir.cluster.service;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.kafka.results.Result;
import io.weir.cluster.kafka.results.ResultTopic;
import io.weir.cluster.kafka.results.Whole;
import io.weir.cluster.node.LastWindow;
import io.weir.cluster.node.RowProducer;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.RowBatch;
import io.weir.operators.result.RowSink;
import java.util.List;
import java.util.function.Supplier;

/** SELECT from a running query: its last window, seen through the select. */
final class LastWindowProducer implements RowProducer {
    private final Definition upstream;
    private final CompiledQuery select;
    private final ResultTopic topic;
    private final Supplier<Whole> whole;

    /**
     * @param whole how far those are who write the rows
     */
    LastWindowProducer(
            KafkaSettings kafka, Definition upstream, CompiledQuery select, Supplier<Whole> whole) {
        this.whole = whole;
        this.upstream = upstream;
        this.select = select;
        this.topic = new ResultTopic(kafka, upstream.name());
    }

    @Override
    public void produce(RowSink sink) {
        List<Result> results = topic.last(upstream.query(), upstream.version(), whole);
        try (LastWindow last = new LastWindow(select)) {
            if (!results.isEmpty()) {
                try (RowBatch batch = new RowBatches(upstream.query()).of(results)) {
                    last.rows(batch);
                }
            }
            last.select(sink);
        }
    }

    @Override
    public void stop() {
        topic.stop();
    }
}
