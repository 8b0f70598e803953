package io.weir.bench.flink;

import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.streaming.api.functions.windowing.WindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** Computes groups per second, by Flink's own windows: the aggregates, and the rows of a window. */
final class Seconds
        implements AggregateFunction<Packet, Group, Group>,
                WindowFunction<Group, long[], Long, TimeWindow> {
    private static final long serialVersionUID = 1;
    private static final long NS_A_MS = 1_000_000;

    private final Work work;

    Seconds(Work work) {
        this.work = work;
    }

    @Override
    public Group createAccumulator() {
        return new Group();
    }

    @Override
    public Group add(Packet packet, Group group) {
        work.update().add(group, packet);
        return group;
    }

    @Override
    public Group getResult(Group group) {
        return group;
    }

    @Override
    public Group merge(Group one, Group other) {
        return one.plus(other);
    }

    @Override
    public void apply(Long key, TimeWindow window, Iterable<Group> one, Collector<long[]> out) {
        long[] words = work.row().of(key, one.iterator().next());
        if (words != null) {
            long[] row = new long[words.length + 2];
            row[0] = window.getStart() * NS_A_MS;
            row[1] = window.getEnd() * NS_A_MS;
            System.arraycopy(words, 0, row, 2, words.length);
            out.collect(row);
        }
    }
}
