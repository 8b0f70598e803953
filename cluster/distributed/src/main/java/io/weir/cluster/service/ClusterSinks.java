package io.weir.cluster.service;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.results.Result;
import io.weir.cluster.kafka.results.ResultFeed;
import io.weir.cluster.sink.Fanout;
import io.weir.cluster.sink.OutputSink;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.time.Deadline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the rows of a cluster's queries to sinks. It reads committed rows from Kafka, so it does
 * not matter which process made them. Each row goes to a sink once. Kafka keeps the position, and
 * some sinks keep it beside the rows. The feed's thread; one other calls {@link #start} and {@link
 * #close}.
 */
public final class ClusterSinks implements ResultFeed.Reader, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterSinks.class);
    private static final String GROUPS = "weir-sinks-";
    private static final long CATALOG_MS = 10_000;
    private static final int MOST_NOTED = 100;

    private final KafkaCatalog catalog;
    private final List<Fanout.Branch> branches;
    private final Stage page;
    private final ResultFeed feed;
    private final Set<String> noted = new HashSet<>();
    private final Map<String, Versions> versions = new HashMap<>();

    private final Map<String, Place> places = new HashMap<>();

    /**
     * The begin of a query's rows that come here.
     *
     * @param next of each sink, the first row that it does not have
     * @param leastVersion rows of earlier versions are of a query that was dropped
     */
    private record Place(List<Long> next, long leastVersion) {}

    private CatalogState known;
    private boolean closed;

    /**
     * @param group whose members share the rows; each has a position in Kafka
     * @param branches the sinks, which end with this and must not fail
     * @param account counts rows that no sink can take
     */
    public ClusterSinks(
            KafkaSettings kafka,
            ClusterNode node,
            String group,
            List<Fanout.Branch> branches,
            Account account) {
        this.catalog = node.catalog();
        this.branches = List.copyOf(branches);
        this.page = account.stage("rows from Kafka");
        feed = new ResultFeed(kafka, GROUPS + group, this);
    }

    public ClusterSinks start() {
        feed.start();
        return this;
    }

    private CatalogState follow() {
        CatalogState now = catalog.state();
        if (now != known) {
            known = now;
            for (Definition definition : now.definitions().values()) {
                versions.computeIfAbsent(definition.name(), name -> new Versions()).see(definition);
            }
            versions.keySet()
                    .removeIf(
                            name ->
                                    !now.definitions().containsKey(name)
                                            && !places.containsKey(name));
        }
        return now;
    }

    @Override
    public Map<String, Long> wanted() {
        Map<String, Long> wanted = new LinkedHashMap<>();
        for (Definition definition : follow().definitions().values()) {
            boolean shown = !definition.isSubQuery();
            if (shown && branches.stream().anyMatch(one -> one.wants(definition.name()))) {
                wanted.put(definition.name(), definition.version());
            }
        }
        return wanted;
    }

    @Override
    public long catalogOffset() {
        return catalog.state().offset();
    }

    @Override
    public void begins(String query, long end, boolean young) {
        List<Long> next = new ArrayList<>();
        for (Fanout.Branch branch : branches) {
            long kept = branch.wants(query) ? next(branch.sink(), query) : 0;
            // If the topic was deleted and made again, the kept position has no meaning.
            next.add(kept > end ? 0 : kept);
        }
        places.put(query, new Place(next, young ? wanted().getOrDefault(query, 0L) : 0));
    }

    private long next(OutputSink sink, String query) {
        try {
            return sink.next(query);
        } catch (WeirException unreadable) {
            note(unreadable.getMessage());
            return 0;
        }
    }

    @Override
    public void rows(String query, List<Result> rows) {
        Place place = places.get(query);
        page.offered().add(rows.size());
        if (rows.get(0).version() < place.leastVersion()) {
            page.excluded("before").add(rows.size());
            return;
        }
        Optional<RowBatches> reader = reader(query, rows.get(0).version(), rows.size());
        if (reader.isEmpty()) {
            return;
        }
        try {
            for (int b = 0; b < branches.size(); b++) {
                give(branches.get(b), place.next().get(b), query, rows, reader.get());
            }
            page.processed().add(rows.size());
        } catch (WeirException unreadable) {
            page.lost("unreadable").add(rows.size());
            note(unreadable.getMessage());
        }
    }

    private static void give(
            Fanout.Branch branch, long from, String query, List<Result> rows, RowBatches reader) {
        if (!branch.wants(query)) {
            return;
        }
        List<Result> fresh = rows.stream().filter(row -> row.offset() >= from).toList();
        if (!fresh.isEmpty()) {
            try (RowBatch batch = reader.of(fresh)) {
                branch.sink().rows(batch, fresh.get(0).worker());
            }
        }
    }

    /** Returns empty, and counts the row, for a version whose columns nobody knows any more. */
    private Optional<RowBatches> reader(String query, long version, int rows) {
        awaitCatalog(version);
        Versions seen = versions.get(query);
        Optional<RowBatches> reader = seen == null ? Optional.empty() : seen.reader(version);
        if (reader.isEmpty()) {
            page.lost("other_version").add(rows);
        }
        return reader;
    }

    /** The maker of a row may have known its query earlier. */
    private void awaitCatalog(long version) {
        Deadline deadline = Deadline.afterMs(CATALOG_MS);
        try {
            CatalogState now = follow();
            while (now.offset() <= version && !deadline.isOver()) {
                catalog.awaitOther(now, CATALOG_MS);
                now = follow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void reached(String query, long next) {
        branches.stream()
                .filter(branch -> branch.wants(query))
                .forEach(branch -> branch.sink().reached(query, next));
    }

    @Override
    public void ends(String query) {
        places.remove(query);
        branches.stream()
                .filter(branch -> branch.wants(query))
                .forEach(branch -> branch.sink().dropped(query));
    }

    @Override
    public void note(String trouble) {
        if (noted.size() < MOST_NOTED && noted.add(trouble)) {
            LOG.warn(trouble);
        }
    }

    /** Closes when the read rows are in the sinks, and the sinks have ended. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            feed.close();
            Fanout all = new Fanout(branches);
            all.end();
            all.close();
        }
    }
}
