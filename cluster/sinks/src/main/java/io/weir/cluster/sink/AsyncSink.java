package io.weir.cluster.sink;

import io.weir.cluster.disk.DiskWork;
import io.weir.cluster.disk.Patience;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sink that writes to a disk, on a thread of its own. So the maker of rows does not wait if the
 * disk hangs. Rows that do not fit into memory meanwhile are lost and counted. The inner sink
 * counts all other outcomes; it must not throw.
 */
public final class AsyncSink implements OutputSink {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncSink.class);
    private static final long WAITING_BYTES = 64 << 20;

    private final OutputSink sink;
    private final DiskWork disk;
    private final Stage stage;
    private final String name;

    /** The memory for waiting rows, which are bounded, and for a batch that does not fit. */
    private final NativeAllocator allocator = new NativeAllocator(Long.MAX_VALUE);

    private final AtomicLong waitingRows = new AtomicLong();
    private boolean told;
    private boolean ended;
    private boolean hangs;

    /**
     * @param name for people
     * @param patience with the disk, for the maker of rows
     * @param stage a page of its own, beside the sink's, for rows that never reached it
     */
    public AsyncSink(String name, OutputSink sink, Patience patience, Stage stage) {
        this.sink = sink;
        this.stage = stage;
        this.name = name;
        disk = new DiskWork("weir-sink " + name, WAITING_BYTES, patience);
    }

    @Override
    public synchronized void rows(RowBatch batch) {
        RowBatch own = batch.copy(allocator);
        int rows = own.rows();
        waitingRows.addAndGet(rows);
        if (!disk.offer(own.bytes(), () -> write(own), own::close)) {
            own.close();
            waitingRows.addAndGet(-rows);
            lose(rows);
        }
    }

    private boolean write(RowBatch own) {
        try (own) {
            int rows = own.rows();
            sink.rows(own);
            waitingRows.addAndGet(-rows);
        }
        return true;
    }

    private void lose(long rows) {
        Counter lost = stage.lost("disk_slow");
        stage.offered().add(rows);
        lost.add(rows);
        if (!told) {
            told = true;
            LOG.warn("{}: its disk does not keep up: rows are lost", name);
        }
    }

    /** If there is no room for this, the query's file ends with the others. */
    @Override
    public synchronized void dropped(String query) {
        disk.offer(0, () -> done(() -> sink.dropped(query)), () -> {});
    }

    private static boolean done(Runnable work) {
        work.run();
        return true;
    }

    /** Waits as long as the disk makes progress. The rest is then lost. */
    @Override
    public synchronized void end() {
        disk.offer(0, () -> done(sink::end), () -> {});
        stop();
    }

    private void stop() {
        if (!ended) {
            ended = true;
            hangs = !disk.end();
            long rows = waitingRows.get();
            if (rows > 0) {
                lose(rows);
            }
        }
    }

    @Override
    public synchronized void close() {
        stop();
        if (!hangs) { // otherwise its thread is still in the sink
            sink.close();
            allocator.close();
        }
    }
}
