package io.weir.cluster.service;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.kafka.results.CompletenessFrontier;
import io.weir.cluster.kafka.results.Result;
import io.weir.cluster.kafka.results.ResultTopic;
import io.weir.cluster.node.LastWindow;
import io.weir.cluster.node.RowProducer;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.util.List;
import java.util.function.Supplier;

/** Answers SELECT from a running query: its last window, seen through the select. */
final class LastWindowProducer implements RowProducer {
    private final Definition upstream;
    private final List<CompiledQuery> selects;
    private final ResultTopic topic;
    private final Supplier<CompletenessFrontier> whole;

    /**
     * @param selects applied to the rows one after the other; none: the rows themselves
     * @param whole how far the writers of the rows are
     */
    LastWindowProducer(
            KafkaSettings kafka,
            Definition upstream,
            List<CompiledQuery> selects,
            Supplier<CompletenessFrontier> whole) {
        this.whole = whole;
        this.upstream = upstream;
        this.selects = List.copyOf(selects);
        this.topic = new ResultTopic(kafka, upstream.name());
    }

    @Override
    public void produce(RowSink sink) {
        List<Result> results = topic.last(upstream.query(), upstream.rowsVersion(), whole);
        if (!results.isEmpty()) {
            try (RowBatch batch = new RowBatches(upstream.query()).of(results)) {
                if (selects.isEmpty()) {
                    sink.rows(batch);
                } else {
                    see(0, batch, sink);
                }
            }
        } else if (!selects.isEmpty()) {
            see(0, null, sink);
        }
    }

    /**
     * @param rows null without any
     */
    private void see(int from, RowBatch rows, RowSink sink) {
        try (LastWindow last = new LastWindow(selects.get(from))) {
            if (rows != null) {
                last.rows(rows);
            }
            if (from + 1 == selects.size()) {
                last.select(sink);
                return;
            }
            boolean[] any = {false};
            last.select(
                    seen -> {
                        any[0] = true;
                        see(from + 1, seen, sink);
                    });
            if (!any[0]) {
                see(from + 1, null, sink);
            }
        }
    }

    @Override
    public void stop() {
        topic.stop();
    }
}
