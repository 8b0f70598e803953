package io.weir.cluster.node;

import io.weir.ingest.source.GpvSource;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceFactory;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.ring.BlockWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Makes live sources that do what a test says, {@code test:NAME}. */
public final class ScriptedFactory implements SourceFactory {
    private static final Map<String, Script> SCRIPTS = new ConcurrentHashMap<>();

    /** A script tells a source its next steps, and notes the steps that it has taken. */
    static final class Script {
        private final BlockingQueue<Act> acts = new LinkedBlockingQueue<>();
        private final AtomicLong undone = new AtomicLong();
        final AtomicLong opened = new AtomicLong();
        final AtomicLong sent = new AtomicLong();
        final AtomicLong late = new AtomicLong();

        /** Why it cannot be opened; empty if it can. */
        private volatile ErrorCode closed;

        Script packet(long tsNs, int host) {
            return add(source -> source.packet(tsNs, host));
        }

        Script pass(long tsNs) {
            return add(source -> source.flush(tsNs));
        }

        Script fail(ErrorCode code) {
            return add(
                    source -> {
                        throw new WeirException(code, "the wire is cut");
                    });
        }

        private Script add(Act act) {
            undone.incrementAndGet();
            acts.add(act);
            return this;
        }

        /** No source of this name can be opened from now on. */
        void close(ErrorCode code) {
            closed = code;
        }

        void open() {
            closed = null;
        }

        boolean isDone() {
            return undone.get() == 0;
        }
    }

    /** One thing that a source does. */
    private interface Act {
        void on(ScriptedSource source);
    }

    static Script script(String name) {
        return SCRIPTS.computeIfAbsent(name, n -> new Script());
    }

    @Override
    public String scheme() {
        return "test";
    }

    @Override
    public Set<String> options() {
        return Set.of("queues");
    }

    @Override
    public List<SourceSpec> sources(SourceSpec named) {
        return List.of(named);
    }

    @Override
    public String name(SourceSpec spec) {
        return spec.address();
    }

    @Override
    public void check(SourceSpec spec) {}

    @Override
    public int queues(SourceSpec spec) {
        return spec.option("queues").map(Integer::parseInt).orElse(1);
    }

    @Override
    public Source open(List<SourceSpec> specs, int queue, SourceContext context) {
        Script script = script(specs.get(0).address());
        ErrorCode why = script.closed;
        if (why != null) {
            throw new WeirException(why, "the wire is cut");
        }
        script.opened.incrementAndGet();
        return new ScriptedSource(script, context);
    }

    private static final class ScriptedSource implements GpvSource {
        private final Script script;
        private final SourceContext context;
        private final BlockWriter writer;
        private final Stage page;
        private final Random random = new Random(1);
        private volatile boolean stopped;
        private volatile long seenNs = Long.MIN_VALUE;
        private boolean begun;

        ScriptedSource(Script script, SourceContext context) {
            this.script = script;
            this.context = context;
            writer = context.writers().get(0);
            page = context.account().stage("capture");
        }

        @Override
        public boolean step() {
            if (stopped) {
                writer.end(seenNs);
                return false;
            }
            Act act = next();
            if (act != null) {
                try {
                    act.on(this);
                } finally {
                    script.undone.decrementAndGet();
                }
            } else if (!begun) {
                writer.flush(context.throttle().othersNs());
            }
            return true;
        }

        private Act next() {
            try {
                return script.acts.poll(1, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }

        void packet(long tsNs, int host) {
            boolean late = tsNs < writer.promisedNs();
            if (!late && !begun) {
                begun = true;
                writer.begun(tsNs);
            }
            page.offered().add(1);
            page.processed().add(1);
            script.sent.incrementAndGet();
            script.late.addAndGet(late ? 1 : 0);
            new RandomGpv(random, GpvLayout.FULL_V4, 1, tsNs)
                    .with("src_addr", Inet.v4(0x0A000000 + host))
                    .with("dst_addr", Inet.v4(0x0B000000 + host))
                    .writeTo(writer, late);
            seenNs = Math.max(seenNs, tsNs);
        }

        void flush(long tsNs) {
            writer.flush(tsNs);
        }

        @Override
        public void stop() {
            stopped = true;
        }

        @Override
        public long seenNs() {
            return seenNs;
        }

        @Override
        public List<String> notes() {
            return List.of();
        }

        @Override
        public void close() {}
    }
}
