package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A live engine, packets for it, and what it tells of its queries. The reader's thread. */
public final class TinyEngine {
    public final Account account = new Account();
    public final LocalEngine engine;

    /** {@code NAME failed CODE} and {@code NAME lost PACKETS CODE}. */
    public final List<String> told = Collections.synchronizedList(new ArrayList<>());

    private final int rings;

    public TinyEngine(EngineOptions options) {
        rings = options.rings();
        engine = new LocalEngine(options.forLive(), account);
        engine.addListener(new Log());
    }

    private final class Log implements WakeListener {
        @Override
        public void woken(Query query, long fromNs, RowBatch batch, int row) {}

        @Override
        public void failed(Query query, WeirException failure) {
            told.add(query.name() + " failed " + failure.code());
        }

        @Override
        public void lost(Query query, long packets, WeirException cause) {
            told.add(query.name() + " lost " + packets + " " + cause.code());
        }
    }

    /** One of each of so many hosts. */
    public void write(int packets, long timeNs) {
        for (int p = 0; p < packets; p++) {
            new RandomGpv(new Random(1), GpvLayout.FULL_V4, 1, timeNs)
                    .with("src_addr", Inet.v4(0x0A000000 + p))
                    .writeTo(engine.writers().get(p % rings), false);
            engine.poll();
        }
    }

    /** What ends by then is emitted. */
    public void pass(long timeNs) {
        engine.writers().forEach(writer -> writer.flush(timeNs));
        engine.throttle().settle();
    }

    /** As {@link #pass}, with no memory left for anybody. */
    public void passWithoutMemory(long timeNs) {
        NativeAllocator allocator = engine.allocator();
        List<long[]> pieces = new ArrayList<>();
        for (long bytes = allocator.limitBytes(); bytes >= 64; bytes /= 2) {
            long piece = allocator.tryAllocate(bytes, MemoryTag.TEST);
            while (piece != 0) {
                pieces.add(new long[] {piece, bytes});
                piece = allocator.tryAllocate(bytes, MemoryTag.TEST);
            }
        }
        pass(timeNs);
        pieces.forEach(p -> allocator.free(p[0], p[1], MemoryTag.TEST));
    }

    public void end() {
        engine.awaitEnd();
        engine.close();
        engine.allocator().close();
    }
}
