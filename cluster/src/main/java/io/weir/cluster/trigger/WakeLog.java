package io.weir.cluster.trigger;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.ReopenedTail;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Which WHENs of a cluster fired of late, for people: what {@code weir.triggers} still has, the
 * latest of each query at least. Thread-safe.
 */
public final class WakeLog implements Triggers, AutoCloseable {
    private static final int MOST = 1_000;

    /** What is told twice is one wake; when it ends may be told later, and anew. */
    private final Map<Wake, Long> untilNs =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Wake, Long> eldest) {
                    return size() > MOST;
                }
            };

    private final ReopenedTail tail;

    private record Wake(String query, long version, long fromNs) {}

    /**
     * A query was woken.
     *
     * @param untilNs {@link Long#MAX_VALUE} where no end is known
     */
    public record Woken(String query, long fromNs, long untilNs) {}

    /**
     * @param troubles told why none is heard, once for each reason, and with an empty text when
     *     they are again
     */
    public WakeLog(KafkaSettings settings, Consumer<String> troubles) {
        TriggerReader reader = new TriggerReader(this);
        tail =
                new ReopenedTail(
                        settings,
                        "weir-wakes",
                        Topics.TRIGGERS,
                        TopicTail.Start.BEGINNING,
                        (records, position) ->
                                records.forEach(record -> reader.read(record.value())),
                        troubles);
    }

    public WakeLog start() {
        tail.start();
        return this;
    }

    @Override
    public synchronized void wake(String query, long version, long fromNs, long endNs) {
        untilNs.put(new Wake(query, version, fromNs), endNs);
    }

    @Override
    public synchronized void until(String query, long version, long fromNs, long endNs) {
        untilNs.replace(new Wake(query, version, fromNs), endNs);
    }

    @Override
    public void settled(long settledNs) {
        // of no query
    }

    /** As they were told, the oldest first. */
    public synchronized List<Woken> latest() {
        List<Woken> latest = new ArrayList<>();
        untilNs.forEach((wake, endNs) -> latest.add(new Woken(wake.query(), wake.fromNs(), endNs)));
        return latest;
    }

    /** Why none is heard; empty where they are. */
    public String trouble() {
        return tail.trouble();
    }

    @Override
    public void close() {
        tail.close();
    }
}
