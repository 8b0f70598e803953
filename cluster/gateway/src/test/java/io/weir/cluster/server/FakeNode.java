package io.weir.cluster.server;

import io.weir.cluster.node.Answer;
import io.weir.cluster.node.RowProducer;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.User;
import io.weir.cluster.sink.Batches;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.error.WeirException.Place;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.sql.validate.Placeholders;
import io.weir.testing.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A node that knows a few words: {@code endless} and {@code count N} rows, {@code slow} and {@code
 * SUBSCRIBE} (a row, then none until it is stopped), {@code fail}, {@code stuck}, {@code show},
 * {@code change}; all else is an error.
 */
final class FakeNode implements SqlNode {
    static final long TIME_NS = 1_795_218_001_000_000_005L;
    static final Query QUERY =
            Batches.query(
                    "numbers",
                    Batches.column("n", Kind.BIGINT),
                    Batches.column("ts", Kind.TIMESTAMP),
                    Batches.column("addr", Kind.INET),
                    Batches.column("share", Kind.DOUBLE));

    final AtomicLong produced = new AtomicLong();
    final AtomicLong changes = new AtomicLong();

    /** All that was to be prepared. */
    final List<String> texts = Collections.synchronizedList(new ArrayList<>());

    final CountDownLatch stuck = new CountDownLatch(1);
    volatile CountDownLatch stopped = new CountDownLatch(1);

    private volatile Thread producing;
    private final NativeAllocator allocator = new NativeAllocator(1 << 20);

    @Override
    public SqlSession session(User user) {
        return this::prepare;
    }

    private Answer prepare(String sql, Placeholders values) {
        texts.add(sql);
        String[] words = sql.replaceAll("--.*\n|;", "").split(" ");
        return switch (words[0]) {
            case "endless" -> flow(Long.MAX_VALUE, false, false);
            case "count" -> flow(Long.parseLong(words[1]), false, false);
            case "slow", "SUBSCRIBE" -> flow(1, true, false);
            case "fail" -> flow(2, false, true);
            case "show" ->
                    new Answer.Texts(List.of("name"), () -> List.of(List.of("a"), List.of("b")));
            case "change" -> new Answer.Change(() -> OptionalLong.of(changes.incrementAndGet()));
            case "stuck" -> new Answer.Texts(List.of("name"), this::waitUntilFree);
            case "bug" -> throw new IllegalStateException("a bug");
            default ->
                    throw new WeirException(
                            ErrorCode.SYNTAX, "no such word", Place.in(sql, 1, 3), "try show");
        };
    }

    private List<List<String>> waitUntilFree() {
        try {
            stuck.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return List.of();
    }

    /** Waits until the thread that makes rows waits for whoever takes them. */
    void awaitBlockedProducer() {
        Await.until(() -> producing != null && isWaiting(producing));
    }

    private static boolean isWaiting(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /** {@code slow} is slow again, though one was stopped. */
    void rearm() {
        stopped = new CountDownLatch(1);
    }

    private Answer flow(long rows, boolean thenWait, boolean thenFail) {
        return new Answer.Flow(QUERY.columns(), () -> new Producer(rows, thenWait, thenFail));
    }

    @Override
    public List<Stream> streams() {
        return List.of(
                new Stream("packets", false, QUERY.columns()),
                new Stream("numbers", true, QUERY.columns()));
    }

    @Override
    public List<Stream> sysTables(User user) {
        return List.of(new Stream("queries", false, List.of(Batches.column("n", Kind.BIGINT))));
    }

    private final class Producer implements RowProducer {
        private final long rows;
        private final boolean thenWait;
        private final boolean thenFail;
        private volatile boolean stop;

        Producer(long rows, boolean thenWait, boolean thenFail) {
            this.rows = rows;
            this.thenWait = thenWait;
            this.thenFail = thenFail;
        }

        @Override
        public void produce(RowSink sink) {
            producing = Thread.currentThread();
            for (long n = 0; n < rows && !stop; n++) {
                Object[] row = {n, TIME_NS, Inet.v4(0x0a000001), n % 2 == 0 ? null : 0.5};
                try (RowBatch batch =
                        Batches.of(QUERY, Long.MIN_VALUE, Long.MAX_VALUE, allocator, row)) {
                    sink.rows(batch);
                }
                produced.incrementAndGet();
            }
            if (thenFail) {
                throw new WeirException(ErrorCode.UNREADABLE_INPUT, "the file went away");
            }
            try {
                if (thenWait && !stopped.await(20, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody stopped this");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void stop() {
            stop = true;
            stopped.countDown();
        }
    }
}
