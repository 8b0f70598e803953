package io.weir.ingest.wire.send;

import io.weir.ingest.source.LiveSources;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.Unheld;
import io.weir.operators.time.Stopwatch;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the packets of sources as blocks of GPVs: a switch made of software. A thread reads the
 * sources. The caller's thread sends, in order and at a pace. Each receive queue is an instance of
 * the sender.
 *
 * <p>Pages of the account: {@code sent} counts packets, and {@code sent blocks} datagrams.
 */
public final class GpvSender {
    public static final String PAGE = "sent";

    private static final long MEMORY_BYTES = 1L << 31;
    private static final long IDLE_NS = 100_000;

    private final List<SourceSpec> specs;
    private final SourceConfig config;
    private final SendOptions options;
    private final Account account;
    private final boolean live;
    private final SendPace pace;
    private final Stage packets = new Stage(PAGE);
    private final Stopwatch clock = Stopwatch.started();
    private final List<String> notes = new ArrayList<>();
    private volatile Source source;
    private volatile Throwable failure;

    /**
     * @param config lateness, and the cache that groups the packets
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT
     */
    public GpvSender(
            List<SourceSpec> specs, SourceConfig config, SendOptions options, Account account) {
        Sources.checkAll(specs);
        this.specs = List.copyOf(specs);
        this.config = config;
        this.options = options;
        this.account = account;
        live = Sources.isLive(specs);
        pace = options.pace(live);
    }

    /** Ends soon. Packets that are read and not sent are counted. Idempotent; any thread. */
    public void stop() {
        pace.release();
        Source running = source;
        if (running != null) {
            running.stop();
        }
    }

    /** Returns sentences for the user, after {@link #run}. */
    public List<String> notes() {
        return notes;
    }

    /**
     * Sends to the end of the sources, or until a limit or {@link #stop}.
     *
     * @throws io.weir.operators.error.WeirException of a source, or INVALID_OPTION: no such
     *     receiver
     */
    public void run() {
        List<SendTarget> targets = new ArrayList<>();
        try (NativeAllocator allocator = new NativeAllocator(MEMORY_BYTES)) {
            Stage blocks = new Stage(PAGE + " blocks");
            options.to().forEach(to -> targets.add(SendTarget.open(to, packets, blocks)));
            List<SendLane> lanes = lanes(allocator, targets);
            List<SourceContext> contexts = contexts(allocator, lanes);
            Thread reader = new Thread(() -> read(contexts), "weir-send-source");
            clock.restart();
            reader.start();
            try {
                sendAll(lanes, reader);
            } finally {
                end(reader, lanes);
                lanes.forEach(SendLane::close);
                account.add(packets);
                account.add(blocks);
            }
        } finally {
            targets.forEach(target -> target.note().ifPresent(notes::add));
            targets.forEach(SendTarget::close);
        }
        throwFailure();
    }

    private List<SendLane> lanes(NativeAllocator allocator, List<SendTarget> targets) {
        List<SendLane> lanes = new ArrayList<>();
        int epoch = new SecureRandom().nextInt();
        for (int i = 0; i < Sources.queues(specs); i++) {
            lanes.add(new SendLane(allocator, encoders(targets, i, epoch), pace, clock, packets));
        }
        return lanes;
    }

    private List<BlockEncoder> encoders(List<SendTarget> targets, int instance, int epoch) {
        int layout = config.cache().layouts().get(0).id();
        List<BlockEncoder> encoders = new ArrayList<>();
        for (SendTarget target : targets) {
            encoders.add(
                    new BlockEncoder(
                            layout,
                            options.source(),
                            instance,
                            epoch,
                            options.mostBytes(),
                            options.single(),
                            target));
        }
        return encoders;
    }

    private List<SourceContext> contexts(NativeAllocator allocator, List<SendLane> lanes) {
        SourceConfig share =
                new SourceConfig(config.latenessNs(), config.cache().sharedBy(lanes.size()));
        return lanes.stream()
                .map(
                        lane ->
                                new SourceContext(
                                        share,
                                        List.of(lane.writer()),
                                        allocator,
                                        account,
                                        new Unheld(live)))
                .toList();
    }

    private void read(List<SourceContext> contexts) {
        try (Source opened = open(contexts)) {
            source = opened;
            if (pace.isReleased()) {
                opened.stop();
            }
            opened.run();
            notes.addAll(opened.notes());
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    private Source open(List<SourceContext> contexts) {
        return live
                ? LiveSources.of(
                        Sources.named(specs),
                        contexts,
                        () -> {
                            throw new IllegalStateException("there are rings for all queues");
                        },
                        status -> {})
                : Sources.open(specs, contexts.get(0));
    }

    private void sendAll(List<SendLane> lanes, Thread reader) {
        int idle = 0;
        while (idle < 2) {
            boolean alive = reader.isAlive();
            boolean some = false;
            for (SendLane lane : lanes) {
                some |= lane.read();
            }
            if (pace.isOver(clock.ns())) {
                stop();
            }
            // A read that meets the ring's end returns without the block behind it.
            idle = some || alive ? 0 : idle + 1;
            if (!some && alive) {
                LockSupport.parkNanos(IDLE_NS);
            }
        }
    }

    /** Ends the reader, also if nobody reads the rings any more. */
    private void end(Thread reader, List<SendLane> lanes) {
        stop();
        lanes.forEach(SendLane::abandon);
        boolean interrupted = false;
        while (reader.isAlive()) {
            try {
                reader.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void throwFailure() {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        } else if (failure instanceof Error error) {
            throw error;
        }
    }
}
