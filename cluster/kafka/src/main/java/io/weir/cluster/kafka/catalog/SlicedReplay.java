package io.weir.cluster.kafka.catalog;

import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A capture that workers share. The partition key splits it into slices that can move from one
 * worker to another.
 *
 * @param version offset of its record in the catalogue
 * @param nodes the values of {@code node_id} in its packets
 * @param startMs when its first packet passes, by everybody's clock
 * @param shifted whether packet times become the times at which they pass
 * @param speed seconds of the capture in one; infinite: as fast as it is read
 * @param leastWorkers the number of workers before the first has a slice
 * @param settles whether packets wait until conditions are settled in the whole cluster
 */
public record SlicedReplay(
        String name,
        long version,
        int count,
        Set<String> nodes,
        long startMs,
        boolean shifted,
        double speed,
        int leastWorkers,
        boolean settles) {
    /** The most slices that a group's members can share well. */
    public static final int MOST = 1_024;

    private static final String KEY = "\u0000slices ";

    public SlicedReplay {
        nodes = Set.copyOf(nodes);
    }

    /** Returns the name under which a slice counts: as a worker of its own, wherever it runs. */
    public String worker(int slice) {
        return name + "." + slice;
    }

    public Stream<String> workers() {
        return IntStream.range(0, count).mapToObj(this::worker);
    }

    /** Returns the key of its record. No query has such a name. */
    static String key(String name) {
        return KEY + name;
    }

    static SlicedReplay of(String key, long offset, io.weir.cluster.wire.SlicedReplay record) {
        if (!key.equals(key(record.getName()))) {
            throw new IllegalArgumentException(
                    "the slices " + record.getName() + " lie under the name " + key);
        } else if (record.getCount() < 1 || record.getCount() > MOST || !(record.getSpeed() > 0)) {
            throw new IllegalArgumentException(
                    "no replay can have " + record.getCount() + " slices, or that speed");
        }
        return new SlicedReplay(
                record.getName(),
                offset,
                record.getCount(),
                Set.copyOf(record.getNodeList()),
                record.getStartMs(),
                record.getShifted(),
                record.getSpeed(),
                record.getLeastWorkers(),
                record.getSettles());
    }

    io.weir.cluster.wire.SlicedReplay record() {
        return io.weir.cluster.wire.SlicedReplay.newBuilder()
                .setName(name)
                .setCount(count)
                .addAllNode(nodes)
                .setStartMs(startMs)
                .setShifted(shifted)
                .setSpeed(speed)
                .setLeastWorkers(leastWorkers)
                .setSettles(settles)
                .build();
    }
}
