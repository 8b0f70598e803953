package io.weir.cluster.doctor;

import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.node.Remedies;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.StageCounts;
import io.weir.ingest.source.TimeNote;
import io.weir.operators.error.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks workers' heartbeats, heard for a few seconds: the living workers and their faults. */
final class WorkerChecks {
    private static final double MS_A_SECOND = 1e3;
    private static final long MOST_SKEW_MS = 1_000;
    private static final long MANY_ROWS = 1_000;

    private final Set<String> expected;
    private final Map<String, Heartbeat> first;
    private final Map<String, Seen> last;
    private final long catalogOffset;

    /**
     * A worker's last heartbeat.
     *
     * @param aheadMs how much its clock is ahead of this machine's, about
     */
    private record Seen(WorkerTable.Worker worker, long aheadMs) {
        Heartbeat beat() {
            return worker.beat();
        }

        boolean isAlive() {
            return !worker.isMissing() && !worker.hasEnded();
        }

        String silent() {
            return "silent for " + worker.silentMs() / 1_000 + " s or more";
        }

        String ended() {
            return "ended in order " + worker.silentMs() / 1_000 + " s ago";
        }
    }

    /**
     * @param expected workers that should be there, whether or not they are heard
     * @param first the heartbeats at first
     * @param last the heartbeats by now
     * @param nowMs of this machine's clock, at that moment
     * @param catalogOffset how far a worker should have read
     */
    WorkerChecks(
            Set<String> expected,
            List<WorkerTable.Worker> first,
            List<WorkerTable.Worker> last,
            long nowMs,
            long catalogOffset) {
        this.expected = expected;
        this.catalogOffset = catalogOffset;
        this.first = new TreeMap<>();
        this.last = new TreeMap<>();
        first.forEach(worker -> this.first.put(worker.beat().getWorker(), worker.beat()));
        for (WorkerTable.Worker worker : last) {
            Heartbeat beat = worker.beat();
            long aheadMs = beat.getSentMs() - (nowMs - worker.silentMs());
            this.last.put(beat.getWorker(), new Seen(worker, aheadMs));
        }
    }

    List<Finding> run() {
        List<Finding> found = new ArrayList<>();
        found.add(alive());
        last.values().removeIf(worker -> !worker.isAlive());
        if (last.isEmpty()) {
            for (String stage : new String[] {"clocks", "times", "queries", "packets", "outbox"}) {
                found.add(Finding.skipped(stage, "no worker is alive"));
            }
            return found;
        }
        found.add(clocks());
        found.add(times());
        found.add(queries());
        found.add(packets());
        found.add(outboxes());
        return found;
    }

    private Finding alive() {
        Map<String, String> missing = new TreeMap<>();
        Map<String, String> ended = new TreeMap<>();
        List<String> alive = new ArrayList<>();
        last.forEach(
                (name, worker) -> {
                    if (worker.worker().hasEnded()) {
                        ended.put(name, worker.ended());
                    } else if (worker.isAlive()) {
                        alive.add(name);
                    } else {
                        missing.put(name, worker.silent());
                    }
                });
        for (String name : expected) {
            if (!last.containsKey(name)) {
                missing.put(name, "not heard of");
            } else if (ended.containsKey(name)) {
                missing.put(name, ended.get(name));
            }
        }
        return alive(missing, ended, alive);
    }

    private static Finding alive(
            Map<String, String> missing, Map<String, String> ended, List<String> alive) {
        if (!missing.isEmpty()) {
            return Finding.broken(
                    "workers",
                    text(missing),
                    "look at its journal (journalctl -u weir-worker), and start it again; weir"
                            + " worker retire takes it out of the cluster");
        } else if (alive.isEmpty() && ended.isEmpty()) {
            return Finding.broken(
                    "workers", "none is alive", "weir worker --kafka … --node-id … starts one");
        } else if (alive.isEmpty()) {
            return Finding.note(
                    "workers",
                    "none is alive: " + text(ended),
                    "weir worker --kafka … --node-id … starts one");
        }
        String rest = ended.isEmpty() ? "" : "; " + text(ended);
        return Finding.ok("workers", "alive: " + String.join(", ", alive) + rest);
    }

    /** Compares the clocks of all nodes and of this machine. */
    private Finding clocks() {
        long least = 0;
        long most = 0;
        Map<String, String> skews = new LinkedHashMap<>();
        for (Seen worker : last.values()) {
            least = Math.min(least, worker.aheadMs());
            most = Math.max(most, worker.aheadMs());
            if (Math.abs(worker.aheadMs()) > MOST_SKEW_MS) {
                skews.put(
                        worker.beat().getWorker(),
                        Math.abs(worker.aheadMs()) / MS_A_SECOND
                                + " s "
                                + (worker.aheadMs() > 0 ? "ahead of" : "behind")
                                + " this machine");
            }
        }
        if (most - least > MOST_SKEW_MS) {
            String about = skews.isEmpty() ? "they differ by more than a second" : text(skews);
            return Finding.broken(
                    "clocks",
                    about,
                    "windows of nodes with different clocks do not match: see timedatectl,"
                            + " chronyc tracking");
        }
        return Finding.ok("clocks", "apart by " + (most - least) / MS_A_SECOND + " s at most");
    }

    /** Reports packets that windows leave out now, and those left out before. */
    private Finding times() {
        Map<String, String> now = new TreeMap<>();
        Map<String, String> before = new TreeMap<>();
        for (Seen worker : last.values()) {
            Heartbeat beat = worker.beat();
            Heartbeat earlier = first.get(beat.getWorker());
            if (leftOut(beat) > 0) {
                boolean more = earlier != null && leftOut(beat) > leftOut(earlier);
                (more ? now : before).put(beat.getWorker(), timeNotes(beat));
            }
        }
        String remedy = "docs/SQL.md, Time and lateness, explains which packets windows leave out";
        if (!now.isEmpty()) {
            return Finding.broken("times", "left out at this moment: " + text(now), remedy);
        } else if (!before.isEmpty()) {
            return Finding.note("times", "left out since the start: " + text(before), remedy);
        }
        return Finding.ok("times", "no packet is late or from the future");
    }

    private static String timeNotes(Heartbeat beat) {
        return beat.getInputNoteList().stream()
                .filter(note -> note.startsWith(TimeNote.BEGINNING))
                .collect(Collectors.joining("; "));
    }

    private static long leftOut(Heartbeat beat) {
        return beat.getStageList().stream()
                .filter(stage -> stage.getName().equals("time"))
                .flatMap(stage -> stage.getExcludedMap().values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private Finding queries() {
        Map<String, String> failed = new TreeMap<>();
        Set<String> behind = new TreeSet<>();
        for (Seen worker : last.values()) {
            for (QueryState query : worker.beat().getQueryList()) {
                if (query.getState() == QueryState.State.FAILED) {
                    failed.putIfAbsent(
                            query.getName() + " at " + worker.beat().getWorker(), query.getAbout());
                }
            }
            if (worker.beat().getCatalogOffset() < catalogOffset) {
                behind.add(worker.beat().getWorker());
            }
        }
        if (!failed.isEmpty()) {
            return Finding.broken(
                    "queries",
                    text(failed),
                    text(failed).contains(ErrorCode.UNWRITABLE_OUTPUT.name())
                            ? "the worker tries again by itself: repair the place that it cannot"
                                    + " write to"
                            : "CREATE OR REPLACE QUERY with a query that can run there, or DROP"
                                    + " QUERY");
        } else if (!behind.isEmpty()) {
            return Finding.broken(
                    "queries",
                    "not as the catalogue is: " + String.join(", ", behind),
                    "it compiles, or it cannot read weir.catalog: its journal shows which");
        }
        return Finding.ok("queries", "as the catalogue is, on every worker");
    }

    /**
     * Reports losses of the whole account except the outbox: those of now, otherwise those of
     * before.
     */
    private Finding packets() {
        Map<String, String> now = new TreeMap<>();
        Map<String, String> before = new TreeMap<>();
        long packets = 0;
        for (Seen worker : last.values()) {
            Heartbeat earlier = first.get(worker.beat().getWorker());
            packets += worker.beat().getPackets();
            for (StageCounts stage : worker.beat().getStageList()) {
                lost(stage, worker.beat(), earlier, now, before);
            }
        }
        String remedy =
                remedies(now.isEmpty() ? before : now)
                        + "; docs/operations/runbook.md explains each reason";
        if (!now.isEmpty()) {
            return Finding.broken("packets", "lost at this moment: " + text(now), remedy);
        } else if (!before.isEmpty()) {
            return Finding.note("packets", "lost since the start: " + text(before), remedy);
        }
        return Finding.ok("packets", packets + " read, none lost");
    }

    /** Returns what helps against the reasons with which these places begin. */
    private static String remedies(Map<String, String> places) {
        return places.keySet().stream()
                .map(place -> place.substring(0, Math.max(0, place.indexOf(' '))))
                .map(Remedies::of)
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static void lost(
            StageCounts stage,
            Heartbeat beat,
            Heartbeat earlier,
            Map<String, String> now,
            Map<String, String> before) {
        stage.getLostMap()
                .forEach(
                        (reason, n) -> {
                            long then = lost(earlier, beat, stage.getName(), reason);
                            String where =
                                    reason + " at " + stage.getName() + " of " + beat.getWorker();
                            if (n > then) {
                                now.put(where, Long.toString(n - then));
                            } else if (n > 0) {
                                before.put(where, Long.toString(n));
                            }
                        });
    }

    /** Returns 0 if the worker was not heard before, or was another process. */
    private static long lost(Heartbeat earlier, Heartbeat beat, String stage, String reason) {
        if (earlier == null) {
            return Long.MAX_VALUE; // earlier losses are not known, so they are not new
        } else if (!earlier.getLife().equals(beat.getLife())) {
            return 0;
        }
        return earlier.getStageList().stream()
                .filter(s -> s.getName().equals(stage))
                .mapToLong(s -> s.getLostOrDefault(reason, 0))
                .sum();
    }

    private Finding outboxes() {
        Map<String, String> growing = new TreeMap<>();
        long waiting = 0;
        for (Seen worker : last.values()) {
            Heartbeat beat = worker.beat();
            Heartbeat earlier = first.get(beat.getWorker());
            waiting += beat.getRowsWaiting();
            boolean stands =
                    earlier != null
                            && beat.getRowsWaiting() > 0
                            && beat.getRowsSent() == earlier.getRowsSent()
                            && earlier.getRowsWaiting() > 0;
            boolean grows =
                    earlier != null
                            && beat.getRowsWaiting() > MANY_ROWS
                            && beat.getRowsWaiting() > earlier.getRowsWaiting();
            if (stands || grows) {
                growing.put(
                        beat.getWorker(),
                        beat.getRowsWaiting()
                                + (stands ? " rows wait, none is sent" : " rows wait, and more")
                                + (beat.getRowsTrouble().isEmpty()
                                        ? ""
                                        : " (" + beat.getRowsTrouble() + ")"));
            }
        }
        if (!growing.isEmpty()) {
            return Finding.broken(
                    "outbox",
                    text(growing),
                    "may the worker write weir.results.*, and with its transactional id"
                            + " weir-worker-NODE? Are the brokers fast enough?");
        }
        return Finding.ok("outbox", waiting + " rows wait");
    }

    private static String text(Map<String, String> each) {
        List<String> words = new ArrayList<>();
        each.forEach((what, about) -> words.add(what + ": " + about));
        return String.join("; ", words);
    }
}
