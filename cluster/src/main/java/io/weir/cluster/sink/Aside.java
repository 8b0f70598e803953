package io.weir.cluster.sink;

import io.weir.cluster.disk.DiskWork;
import io.weir.cluster.disk.Patience;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.RowBatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A sink that writes to a disk, by a thread of its own: who makes rows does not wait where the disk
 * hangs. What does not fit into memory meanwhile is lost and counted. What else becomes of rows the
 * sink counts; it must not throw.
 */
public final class Aside implements OutputSink {
    private static final long WAITING_BYTES = 64 << 20;

    private final OutputSink sink;
    private final DiskWork disk;
    private final Stage stage;
    private final Consumer<String> notes;

    /** Holds what waits, which is bounded, and a batch that does not fit. */
    private final NativeAllocator allocator = new NativeAllocator(Long.MAX_VALUE);

    private final AtomicLong waitingRows = new AtomicLong();
    private boolean told;
    private boolean ended;
    private boolean hangs;

    /**
     * @param patience with the disk, of who makes rows
     * @param stage a page of its own, beside the sink's: of rows that never came to it
     * @param notes is told once that rows are lost
     */
    public Aside(
            String name, OutputSink sink, Patience patience, Stage stage, Consumer<String> notes) {
        this.sink = sink;
        this.stage = stage;
        this.notes = notes;
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
            notes.accept("its disk does not keep up: rows are lost");
        }
    }

    /** Where there is no room for it, its file ends with the others. */
    @Override
    public synchronized void dropped(String query) {
        disk.offer(0, () -> done(() -> sink.dropped(query)), () -> {});
    }

    private static boolean done(Runnable work) {
        work.run();
        return true;
    }

    /** Waits as long as the disk does anything; what it has not done then is lost. */
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
        if (!hangs) { // else its thread is in the sink still
            sink.close();
            allocator.close();
        }
    }
}
