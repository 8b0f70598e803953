package io.weir.cluster.doctor;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.kafka.inspect.Inspection;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks at a cluster stage by stage, and changes nothing. Each stage needs the one before: machine,
 * Kafka, topics, catalogue, workers, their losses, merge, SQL server. One thread.
 */
public final class Doctor {
    /** Longer than the silence after which a worker is missing. */
    public static final Duration WATCH = Duration.ofMillis(4_500);

    private static final String[] AFTER_KAFKA = {
        "transactions",
        "topics",
        "catalogue",
        "workers",
        "clocks",
        "queries",
        "packets",
        "outbox",
        "merge"
    };
    private static final long FIRST_WORDS_MS = 1_500;

    private final Optional<KafkaSettings> kafka;
    private final List<String> urls;
    private final Properties login;
    private final Set<String> workers;
    private final Duration watch;
    private final Consumer<Finding> listener;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param kafka empty: only the machine and the servers are looked at
     * @param urls of SQL servers
     * @param login user, password and trust for their driver
     * @param workers that should be alive, whether or not they are heard
     * @param watch how long workers are listened to
     * @param listener is told each finding at once
     */
    public Doctor(
            Optional<KafkaSettings> kafka,
            List<String> urls,
            Properties login,
            Set<String> workers,
            Duration watch,
            Consumer<Finding> listener) {
        this.kafka = kafka;
        this.urls = List.copyOf(urls);
        this.login = login;
        this.workers = Set.copyOf(workers);
        this.watch = watch;
        this.listener = listener;
    }

    /** Returns all findings, in order. */
    public List<Finding> run() throws InterruptedException {
        new MachineChecks().run().forEach(this::found);
        if (kafka.isPresent()) {
            kafka(kafka.get());
        }
        for (String url : urls) {
            found(new ServerCheck(url, login).run());
        }
        return List.copyOf(findings);
    }

    private void found(Finding finding) {
        findings.add(finding);
        listener.accept(finding);
    }

    /** Returns whether later stages can be checked. */
    private boolean stands(String stage, String remedy, Supplier<Finding> check) {
        Finding finding;
        try {
            finding = check.get();
        } catch (WeirException failed) {
            finding = Finding.broken(stage, failed.getMessage(), remedy);
        }
        found(finding);
        return !finding.isBroken();
    }

    private void kafka(KafkaSettings settings) throws InterruptedException {
        try (Inspection inspection = new Inspection(settings)) {
            KafkaChecks checks = new KafkaChecks(settings, inspection);
            String away = "is Kafka running there, and does --kafka-config have the right login?";
            String read = "may this user describe and read weir.*? docs/CLUSTER.md lists it";
            if (!stands("kafka", away, checks::brokers)) {
                skip(0, "Kafka does not answer");
                return;
            }
            stands("transactions", away, checks::transactions);
            if (!stands("topics", read, checks::topics)) {
                skip(2, "the topics are not as they should be");
            } else {
                stands("catalogue", read, checks::catalogue);
                cluster(settings, inspection, checks.seen());
            }
        }
    }

    private void skip(int from, String why) {
        for (int i = from; i < AFTER_KAFKA.length; i++) {
            found(Finding.skipped(AFTER_KAFKA[i], why));
        }
    }

    /** Returns the workers that were heard, except retired ones. */
    private static List<WorkerTable.Worker> heard(WorkerTable table, CatalogState catalog) {
        return table.workers().stream()
                .filter(one -> !catalog.isRetired(one.beat().getWorker(), one.beat().getLife()))
                .toList();
    }

    private void cluster(KafkaSettings settings, Inspection inspection, CatalogState catalog)
            throws InterruptedException {
        try (WorkerTable table = new WorkerTable(settings, Duration.ofMinutes(2)).start()) {
            MergeCheck[] merge = new MergeCheck[1];
            WeirException[] refused = new WeirException[1];
            try {
                merge[0] = new MergeCheck(inspection, settings.shards());
            } catch (WeirException e) {
                refused[0] = e;
            }
            Thread.sleep(Math.min(FIRST_WORDS_MS, watch.toMillis() / 2));
            List<WorkerTable.Worker> first = heard(table, catalog);
            long offset =
                    first.stream().mapToLong(w -> w.beat().getCatalogOffset()).max().orElse(0);
            Thread.sleep(watch.toMillis());
            new WorkerChecks(
                            workers,
                            first,
                            heard(table, catalog),
                            settings.clock().millis(),
                            offset)
                    .run()
                    .forEach(this::found);
            stands(
                    "merge",
                    "may this user describe the group weir-merge? docs/CLUSTER.md lists it",
                    () -> {
                        if (refused[0] != null) {
                            throw refused[0];
                        }
                        return merge[0].run(table.liveServers());
                    });
        }
    }
}
