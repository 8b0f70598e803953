package io.weir.cluster.sink;

import io.weir.operators.rows.RowBatch;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sink that reports its failures and goes on: live packets still count when a disk is full. It
 * counts the rows that it could not write. The results' thread.
 */
public final class TolerantSink implements OutputSink {
    private static final Logger LOG = LoggerFactory.getLogger(TolerantSink.class);
    private static final int MOST_TOLD = 100;

    private final String name;
    private final OutputSink sink;
    private final Set<String> told = new HashSet<>();

    /**
     * @param name for people
     */
    public TolerantSink(String name, OutputSink sink) {
        this.name = name;
        this.sink = sink;
    }

    @Override
    public void rows(RowBatch batch) {
        tolerate(() -> sink.rows(batch));
    }

    @Override
    public void rows(RowBatch batch, String part) {
        tolerate(() -> sink.rows(batch, part));
    }

    @Override
    public long next(String query) {
        return sink.next(query);
    }

    @Override
    public void reached(String query, long next) {
        tolerate(() -> sink.reached(query, next));
    }

    @Override
    public void dropped(String query) {
        tolerate(() -> sink.dropped(query));
    }

    @Override
    public void end() {
        tolerate(sink::end);
    }

    @Override
    public void close() {
        tolerate(sink::close);
    }

    private void tolerate(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            tell(String.valueOf(e.getMessage()));
        }
    }

    private synchronized void tell(String trouble) {
        if (told.size() < MOST_TOLD && told.add(trouble)) {
            LOG.warn("{}: {}", name, trouble);
        }
    }
}
