package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/** One run of queries over packets: rows by query, the order of all, and what fired. */
final class Run {
    final Map<String, List<Interpreter.Output>> rows = new LinkedHashMap<>();
    final List<String> order = new ArrayList<>();
    final List<String> fired = new ArrayList<>();
    final Account account = new Account();
    final String layout;
    private List<Interpreter.Event> events;
    private int settlements;

    Run(List<Query> queries, List<Packet> packets, EngineOptions options, long seed) {
        Random random = new Random(seed);
        // A Random's first bit is the same for all small seeds.
        layout = new SplittableRandom(seed).nextBoolean() ? "full" : "flow32";
        NativeAllocator allocator;
        try (LocalEngine engine = new LocalEngine(options, account)) {
            List<GpvLayout> layouts =
                    GpvLayout.all().stream().filter(l -> l.name().equals(layout)).toList();
            for (Query query : queries) {
                rows.put(query.name(), new ArrayList<>());
                engine.add(KernelCompiler.compile(query, layouts), this::collect);
            }
            engine.addListener(new Log());
            engine.start();
            ReplaySource source = new ReplaySource(engine, options, random, layout);
            Impatient impatient = new Impatient(engine);
            try {
                source.replay(packets);
                engine.awaitEnd();
            } finally {
                impatient.end();
            }
            events = source.events();
            settlements = source.settlements();
            allocator = engine.allocator();
        }
        allocator.close();
        assertTrue(account.isBalanced(), account.snapshot().toString());
    }

    List<Interpreter.Event> events() {
        return events;
    }

    int settlements() {
        return settlements;
    }

    static CompiledQuery compile(Query query) {
        return KernelCompiler.compile(query, List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    private void collect(RowBatch batch) {
        rows.get(batch.query().name()).add(output(batch));
        order.add(batch.query().name() + " " + batch.windowEndNs());
    }

    static Interpreter.Output output(RowBatch batch) {
        List<List<Object>> all = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            List<Object> values = new ArrayList<>();
            for (int c = 0; c < batch.layout().columns().size(); c++) {
                values.add(batch.value(row, c));
            }
            all.add(values);
        }
        return new Interpreter.Output(batch.windowStartNs(), batch.windowEndNs(), all);
    }

    /** Wants a change all the time, of which nothing comes: results stop for it in their turns. */
    private static final class Impatient {
        private final LocalEngine engine;
        private final Thread thread = new Thread(this::ask, "impatient");
        private volatile boolean ended;

        Impatient(LocalEngine engine) {
            this.engine = engine;
            thread.start();
        }

        private void ask() {
            while (!ended) {
                assertThrows(WeirException.class, () -> engine.drop("nobody"));
            }
        }

        void end() {
            ended = true;
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
    }

    private final class Log implements WakeListener {
        @Override
        public void woken(Query query, long activeFromNs, RowBatch batch, int row) {
            fired.add(query.name() + " from " + activeFromNs + " by row " + row);
        }

        @Override
        public void until(Query query, long untilNs) {
            fired.add(query.name() + " until " + untilNs);
        }
    }
}
