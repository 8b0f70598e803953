package io.weir.cluster.node;

import io.weir.cluster.sink.OutputClosed;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Produces the rows of a replay, as windows close in it. */
final class ReplayProducer implements RowProducer {
    private final BiFunction<RowSink, Listener, Replay> maker;
    private final Consumer<Outcome> ended;
    private volatile boolean stopped;
    private volatile Replay replay;

    /**
     * @param maker makes the replay, which gives the rows to the sink
     * @param ended gets the account and events of the replay, before {@link #produce} returns
     */
    ReplayProducer(BiFunction<RowSink, Listener, Replay> maker, Consumer<Outcome> ended) {
        this.maker = maker;
        this.ended = ended;
    }

    @Override
    public void produce(RowSink sink) {
        Outcome outcome = new Outcome();
        Events events = new Events(outcome);
        Replay created = maker.apply(batch -> pass(batch, sink), events);
        replay = created;
        if (!stopped) {
            Report report = created.run();
            outcome.report(report);
            events.end();
            ended.accept(outcome);
            report.throwFailure();
        }
    }

    /**
     * When nobody takes rows any more, the replay ends in order, so that its account can be shown.
     */
    private void pass(RowBatch batch, RowSink sink) {
        if (!stopped) {
            try {
                sink.rows(batch);
            } catch (OutputClosed e) {
                stop();
            }
        }
    }

    boolean isStopped() {
        return stopped;
    }

    @Override
    public void stop() {
        stopped = true;
        Replay running = replay;
        if (running != null) {
            running.stop();
        }
    }
}
