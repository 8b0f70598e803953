package io.weir.cluster.protocol;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.List;

/** A shard that makes the rows of what {@link TinySource}s send, and what these say. */
final class TinyMerge implements AutoCloseable {
    static final CompiledQuery CODE = TinySource.perSource();
    static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 24, 100);

    private final NativeAllocator allocator = new NativeAllocator(1L << 28);
    private final KeptJournal kept = new KeptJournal();
    private final List<String> rows = new ArrayList<>();
    private MergeStage stage = anew();

    private MergeStage anew() {
        MergeStage next = MergeStage.first(allocator, OPTIONS);
        next.add(CODE, 1, this::rows);
        kept.into(next);
        return next;
    }

    private void rows(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            rows.add(
                    String.format(
                            "%d: %s %s, lost %s%s, %.2f",
                            batch.windowEndNs() / TinySource.SECOND_NS,
                            batch.value(r, 0),
                            batch.value(r, 1),
                            batch.value(r, 2),
                            (Long) batch.value(r, 3) == 0 ? "" : ", missing " + batch.value(r, 3),
                            batch.real(r, 4)));
        }
    }

    /** What a worker sends that saw so many packets in each second. */
    static List<MergeMessage> sent(String worker, String life, int blockBytes, int... packets) {
        return TinySource.messages(CODE, new WorkerEpoch(worker, life), 1, blockBytes, packets)
                .get(0);
    }

    /** How many messages there are until this second has passed. */
    static int passed(List<MergeMessage> messages, long second) {
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i) instanceof MergeMessage.Passed p
                    && p.watermarkNs() >= second * TinySource.SECOND_NS) {
                return i + 1;
            }
        }
        throw new AssertionError("second " + second + " does not pass");
    }

    MergeStage stage() {
        return stage;
    }

    /** Another process goes on with what this one has kept. */
    void restart() {
        stage.close();
        stage = anew();
    }

    void accept(List<MergeMessage> messages, long nowNs) {
        messages.forEach(message -> stage.accept(message, nowNs));
    }

    /** All of them, in the order in which they were made. */
    List<String> rows() {
        return rows;
    }

    /** Those of the first host. */
    List<String> ofFirst() {
        return rows.stream().filter(row -> row.contains("10.0.0.0")).toList();
    }

    @Override
    public void close() {
        stage.close();
        allocator.close();
    }
}
