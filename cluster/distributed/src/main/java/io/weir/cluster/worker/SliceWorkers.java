package io.weir.cluster.worker;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.kafka.slices.SliceGroup;
import io.weir.cluster.metrics.Meter;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slices of a replay that a process has, as the group gives and takes them. Each slice is a
 * {@link Worker} of its own. Its name, partials and position belong to the slice, whichever process
 * has it. A slice that is taken away stops where it is. The next owner begins with the first packet
 * after the sent position, and reports losses of the open windows. A failed slice is tried again.
 * If that does not help, all slices are given up, and other processes get them.
 *
 * <p>One thread calls {@link #run}, any calls {@link #stop}.
 */
public final class SliceWorkers implements SliceGroup.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(SliceWorkers.class);
    private static final long LOOK_MS = 20;

    private final WorkerSettings settings;
    private final SlicedReplay replay;
    private final String node;
    private final KafkaSettings kafka;
    private final WorkerListener listener;
    private final SliceRun.Pauses pauses;
    private final Map<Integer, SliceRun> running = new TreeMap<>();
    private final Map<String, Stage.Snapshot> account = new LinkedHashMap<>();
    private final AtomicReference<WeirException> failure = new AtomicReference<>();
    private volatile boolean stopped;

    /**
     * @param settings of all slices together: name and outbox are the process', slices get their
     *     own
     */
    public SliceWorkers(
            WorkerSettings settings,
            SlicedReplay replay,
            KafkaSettings kafka,
            WorkerListener listener) {
        this(settings, replay, kafka, listener, SliceRun.Pauses.DEFAULT);
    }

    SliceWorkers(
            WorkerSettings settings,
            SlicedReplay replay,
            KafkaSettings kafka,
            WorkerListener listener,
            SliceRun.Pauses pauses) {
        this.pauses = pauses;
        this.settings = settings;
        this.replay = replay;
        this.node = settings.name();
        this.kafka = kafka;
        this.listener = listener;
    }

    /**
     * Counts slices until {@link #stop}, or until all slices of the replay have been counted to the
     * end, here or elsewhere.
     *
     * @return the accounts of the slices that were counted here, added up
     */
    public List<Stage.Snapshot> run() {
        SliceEnds ends = new SliceEnds(kafka, replay);
        try (SliceGroup group = new SliceGroup(kafka, replay, node, this, this::fail)) {
            group.start();
            while (!stopped && !(allEnded() && ends.all())) {
                Thread.sleep(LOOK_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lost(Set.copyOf(owned()), false);
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        synchronized (this) {
            return List.copyOf(account.values());
        }
    }

    /**
     * Returns the meter of the slices that are here now, each as a worker of its own: any thread.
     */
    public Meter meter() {
        return out -> {
            List<Worker> here;
            synchronized (this) {
                here = running.values().stream().flatMap(one -> one.worker().stream()).toList();
            }
            here.forEach(worker -> worker.meter().read(out));
        };
    }

    private synchronized Set<Integer> owned() {
        return Set.copyOf(running.keySet());
    }

    private synchronized boolean allEnded() {
        return running.values().stream().allMatch(SliceRun::hasEnded);
    }

    @Override
    public synchronized void gained(Set<Integer> slices) {
        LOG.info("worker {}: has slices {} of {}", node, slices, replay.name());
        for (int slice : slices) {
            SliceRun begun = new SliceRun(node, slice, () -> worker(slice), pauses, new Told());
            running.put(slice, begun);
            begun.start();
        }
    }

    private Worker worker(int slice) {
        Path outbox = settings.outbox().resolve(replay.worker(slice));
        // Rows left by an earlier owner here are counted as lost, or were sent by the next one.
        delete(outbox);
        WorkerSettings one =
                new WorkerSettings(
                        replay.worker(slice),
                        settings.captures(),
                        settings.node(),
                        settings.replay(),
                        outbox,
                        settings.outboxBytes(),
                        Optional.of(new WorkerSettings.Slice(replay, slice, node)),
                        false,
                        settings.tables());
        return new Worker(one, kafka, listener);
    }

    private final class Told implements SliceRun.Owner {
        @Override
        public void counted(List<Stage.Snapshot> counted) {
            synchronized (SliceWorkers.this) {
                counted.forEach(page -> account.merge(page.stage(), page, Stage.Snapshot::plus));
            }
        }

        @Override
        public void failed(WeirException cause) {
            fail(cause);
        }
    }

    private static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT, "the outbox in " + directory + " stays: " + e);
        }
    }

    @Override
    public void lost(Set<Integer> slices, boolean taken) {
        List<SliceRun> ending = new ArrayList<>();
        synchronized (this) {
            for (int slice : slices) {
                SliceRun one = running.remove(slice);
                if (one != null) {
                    one.abandon();
                    ending.add(one);
                }
            }
        }
        if (!ending.isEmpty()) {
            String how = taken ? "has lost" : "gives up";
            LOG.warn("worker {}: {} slices {} of {}", node, how, slices, replay.name());
        }
        ending.forEach(SliceRun::awaitEnd);
    }

    private void fail(WeirException cause) {
        failure.compareAndSet(null, cause);
        stop();
    }

    /** Ends {@link #run} soon; others get the slices. Idempotent. */
    public void stop() {
        stopped = true;
    }
}
