package io.weir.cluster.kafka.catalog;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Deadline;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Reads the catalogue's topic as it grows. States are planned only from the end of the topic on.
 * Earlier records may be compacted, so they show no state that ever existed.
 */
final class CatalogLog implements TopicTail.Reader, AutoCloseable {
    /** Header of each record: the edit that wrote it. */
    static final String EDIT = "edit";

    private static final int REMEMBERED_EDITS = 1_000;

    private final TopicTail tail;
    private final long endAtStart;
    private final Map<String, Planning.Entry> entries = new HashMap<>();
    private final Set<String> edits = new LinkedHashSet<>();
    private CatalogState state = CatalogState.EMPTY;
    private boolean complete;
    private WeirException failure;
    private boolean closed;

    /**
     * @param endAtStart offset up to which it must be read before there is a state
     */
    CatalogLog(KafkaSettings settings, long endAtStart) {
        this.endAtStart = endAtStart;
        this.tail =
                new TopicTail(
                        settings,
                        "weir-catalog-tail",
                        Topics.CATALOG,
                        TopicTail.Start.BEGINNING,
                        this);
    }

    CatalogLog start() {
        tail.start();
        return this;
    }

    @Override
    public synchronized void read(List<ConsumerRecord<byte[], byte[]>> records, long position) {
        records.forEach(this::apply);
        if (position < endAtStart) {
            return;
        }
        if (!records.isEmpty() || !complete) {
            state = Planning.plan(entries.values(), state, position);
        } else if (position != state.offset()) {
            state = state.at(position);
        } else {
            return;
        }
        complete = true;
        notifyAll();
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        Header edit = record.headers().lastHeader(EDIT);
        if (edit != null && edit.value() != null) {
            remember(new String(edit.value(), StandardCharsets.UTF_8));
        }
        String name =
                record.key() == null
                        ? "(record " + record.offset() + " without a name)"
                        : new String(record.key(), StandardCharsets.UTF_8);
        if (record.value() == null) {
            entries.remove(name);
        } else {
            entries.put(name, new Planning.Entry(name, record.offset(), record.value()));
        }
    }

    private void remember(String edit) {
        edits.add(edit);
        if (edits.size() > REMEMBERED_EDITS) {
            edits.remove(edits.iterator().next());
        }
    }

    @Override
    public synchronized void failed(WeirException cause) {
        failure = cause;
        notifyAll();
    }

    synchronized CatalogState state() {
        return state;
    }

    /** Returns the records that the state is planned from. */
    synchronized CatalogCopy.Kept kept() {
        return new CatalogCopy.Kept(state.offset(), List.copyOf(entries.values()));
    }

    /** Returns whether this edit is one of the recent ones. */
    synchronized boolean holds(String edit) {
        return edits.contains(edit);
    }

    /** Waits until all before this offset was read. */
    synchronized CatalogState await(long offset) throws InterruptedException, TimeoutException {
        Deadline deadline = Deadline.afterMs(KafkaCalls.TIMEOUT_MS);
        while (!complete || state.offset() < offset) {
            check();
            if (!waitUntil(deadline)) {
                throw new TimeoutException();
            }
        }
        return state;
    }

    /** Waits for a state other than this one, or for the time-out, and returns the state. */
    synchronized CatalogState awaitOther(CatalogState known, long timeoutMs)
            throws InterruptedException {
        Deadline deadline = Deadline.afterMs(timeoutMs);
        while (state == known && !closed) {
            check();
            if (!waitUntil(deadline)) {
                break;
            }
        }
        return state;
    }

    @SuppressWarnings("WaitNotInLoop") // its callers loop
    private boolean waitUntil(Deadline deadline) throws InterruptedException {
        long ms = deadline.leftMs();
        if (ms > 0) {
            wait(ms);
        }
        return ms > 0;
    }

    private void check() {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        tail.close();
    }
}
