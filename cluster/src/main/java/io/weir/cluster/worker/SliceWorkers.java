package io.weir.cluster.worker;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.kafka.slices.SliceGroup;
import io.weir.cluster.metrics.Meter;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.pipeline.ThreadEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/**
 * The slices of a replay that a process has, as the group gives and takes them: each is a {@link
 * Worker} of its own, with a name, partials and a place to go on from that are the slice's, whoever
 * has it. One that is taken away is cut off where it is; the next owner begins with the first
 * packet after what was sent, and tells what was lost of the windows that were open.
 *
 * <p>{@link #run} by one thread, {@link #stop} by any.
 */
public final class SliceWorkers implements SliceGroup.Owner {
    private static final long LOOK_MS = 20;

    private final WorkerSettings settings;
    private final SlicedReplay replay;
    private final String node;
    private final KafkaSettings kafka;
    private final WorkerListener listener;
    private final Map<Integer, Running> running = new TreeMap<>();
    private final Map<String, Stage.Snapshot> account = new LinkedHashMap<>();
    private final AtomicReference<WeirException> failure = new AtomicReference<>();
    private volatile boolean stopped;

    private static final class Running {
        final Worker worker;
        Thread thread;
        boolean ended;

        Running(Worker worker) {
            this.worker = worker;
        }
    }

    /**
     * @param settings of all slices together: name and outbox are the process', slices get their
     *     own
     */
    public SliceWorkers(
            WorkerSettings settings,
            SlicedReplay replay,
            KafkaSettings kafka,
            WorkerListener listener) {
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

    /** How the slices do that are here now, each as a worker of its own: any thread. */
    public Meter meter() {
        return out -> {
            List<Worker> here;
            synchronized (this) {
                here = running.values().stream().map(one -> one.worker).toList();
            }
            here.forEach(worker -> worker.meter().read(out));
        };
    }

    private synchronized Set<Integer> owned() {
        return Set.copyOf(running.keySet());
    }

    private synchronized boolean allEnded() {
        return running.values().stream().allMatch(one -> one.ended);
    }

    @Override
    public synchronized void gained(Set<Integer> slices) {
        listener.note("has slices " + slices + " of " + replay.name());
        for (int slice : slices) {
            Running begun = new Running(worker(slice));
            begun.thread =
                    new Thread(() -> run(slice, begun), "weir-slice-" + replay.worker(slice));
            running.put(slice, begun);
            begun.thread.start();
        }
    }

    private Worker worker(int slice) {
        Path outbox = settings.outbox().resolve(replay.worker(slice));
        WorkerSettings one =
                new WorkerSettings(
                        replay.worker(slice),
                        settings.captures(),
                        settings.node(),
                        settings.replay(),
                        outbox,
                        settings.outboxBytes(),
                        Optional.of(new WorkerSettings.Slice(replay, slice, node)),
                        false);
        return new Worker(one, kafka, listener);
    }

    private void run(int slice, Running one) {
        try {
            // What an earlier owner here has left is counted as lost, or was sent by the next one.
            delete(settings.outbox().resolve(replay.worker(slice)));
            List<Stage.Snapshot> counted = one.worker.run();
            synchronized (this) {
                counted.forEach(page -> account.merge(page.stage(), page, Stage.Snapshot::plus));
            }
        } catch (WeirException e) {
            listener.note("slice " + slice + " has ended here: " + e.getMessage());
        } catch (RuntimeException e) {
            fail(new WeirException(ErrorCode.INTERNAL, e.toString()));
        } finally {
            synchronized (this) {
                one.ended = true;
            }
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
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void lost(Set<Integer> slices, boolean taken) {
        List<Running> ending = new ArrayList<>();
        synchronized (this) {
            for (int slice : slices) {
                Running one = running.remove(slice);
                if (one != null) {
                    one.worker.abandon();
                    ending.add(one);
                }
            }
        }
        if (!ending.isEmpty()) {
            listener.note(
                    (taken ? "has lost slices " : "gives up slices ")
                            + slices
                            + " of "
                            + replay.name());
        }
        for (Running one : ending) {
            ThreadEnd.await(one.thread);
        }
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
