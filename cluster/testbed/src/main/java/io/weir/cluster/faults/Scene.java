package io.weir.cluster.faults;

import io.weir.cluster.demo.Processes.Surroundings;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster in which faults happen, and the parts that they and the audit need. One thread.
 *
 * @param nodes each has a worker
 */
record Scene(
        FaultCluster cluster,
        Frames frames,
        RowLog log,
        List<Server> servers,
        List<String> nodes,
        Random random,
        Times times,
        PrintStream out,
        long startedNs) {
    /** For events that take seconds, on a busy machine. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Pattern PACKETS = Pattern.compile("cache +(\\d+) .*");

    /**
     * The worker's own lost rows. The rows that the killed process was writing belong to that
     * process.
     */
    private static final Pattern LOST_ROWS =
            Pattern.compile(
                    "(\\d+) (?:disk_full|outbox_full|refused_by_kafka|row_too_large|unreadable)");

    void say(String text) {
        double seconds = (Clock.SYSTEM.nanos() - startedNs) / 1e9;
        out.printf(Locale.ROOT, "%9.3f s  %s%n", seconds, text);
    }

    /** Prints, and stores for the end, how long something took. */
    void took(String what, long ms) {
        say(what + " after " + ms + " ms");
        times.took(what, ms);
    }

    /** Skips a fault that cannot be made here. */
    void skip(String why) {
        say("SKIPPED: " + why);
        times.skipped();
    }

    Server server() {
        return servers.get(0);
    }

    String anyNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    /** Waits at random, so that faults come at other moments of a window each time. */
    void pause(int leastMs, int mostMs) throws InterruptedException {
        Thread.sleep(leastMs + random.nextInt(mostMs - leastMs + 1));
    }

    /** Waits for rows of a worker's window that begins after this time. Returns the ms since. */
    long awaitEach(String node, long afterNs) throws InterruptedException {
        long endNs = Queries.endNs(afterNs) + Queries.WINDOW_NS;
        return came(
                "rows of " + node,
                log.await(PATIENCE, rows -> rows.newestNs(Queries.EACH, node) >= endNs),
                afterNs);
    }

    /** Does the same for merged windows, from all shards. */
    long awaitMerged(long afterNs) throws InterruptedException {
        long endNs = Queries.endNs(afterNs) + Queries.WINDOW_NS;
        return came("merged rows", log.await(PATIENCE, rows -> mergedNs(rows) >= endNs), afterNs);
    }

    /**
     * Returns the time from which a fault of a worker now can matter: its windows that were not
     * merged by then may come too late.
     */
    long mergedNs() {
        return mergedNs(log);
    }

    private long mergedNs(RowLog rows) {
        long least = rows.newestNs(Queries.SORTED, "merge second");
        for (int shard = 0; shard < cluster.kafka().shards(); shard++) {
            least = Math.min(least, rows.newestNs(Queries.ALL, "merge shard-" + shard));
        }
        return least;
    }

    private long came(String what, boolean came, long sinceNs) {
        if (!came) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "no " + what + " came in " + PATIENCE.toSeconds() + " s",
                    "logs are in " + cluster.directory());
        }
        return (FaultCluster.nowNs() - sinceNs) / 1_000_000;
    }

    /** Waits until SHOW WORKERS calls a worker missing. Returns the ms since. */
    long awaitMissing(String node, long sinceNs) throws InterruptedException, SQLException {
        while (!server().state(node).startsWith("missing")) {
            if (FaultCluster.nowNs() - sinceNs > PATIENCE.toNanos()) {
                throw new WeirException(ErrorCode.INTERNAL, node + " is not noticed as missing");
            }
            Thread.sleep(50);
        }
        return (FaultCluster.nowNs() - sinceNs) / 1_000_000;
    }

    /** Checks that a worker lives, and that the wait since then is not too long. */
    void check(Life life, long sinceNs) {
        boolean lives = life.process().process().isAlive();
        if (!lives || FaultCluster.nowNs() - sinceNs > PATIENCE.toNanos()) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    life.process().name() + (lives ? " does not come to it" : " has ended"),
                    String.join(" ", life.process().lines()));
        }
    }

    /** Kills a worker. Its ledger has what it has read. Returns the time. */
    long kill(Life life) throws InterruptedException {
        cluster.kill(life.process());
        long nowNs = FaultCluster.nowNs();
        long limit = life.read().orElseGet(() -> frames.before(life.beginNs(), nowNs));
        life.ended(Life.End.KILLED, nowNs, limit);
        return nowNs;
    }

    /** Notes that packets of it that are not in rows do not count from now on. Returns the time. */
    long ended(Life life, Life.End how) {
        long nowNs = FaultCluster.nowNs();
        life.ended(how, nowNs, frames.before(life.beginNs(), nowNs));
        return nowNs;
    }

    /** Ends a worker in order. It reports itself what it has read. */
    void stop(Life life) throws InterruptedException {
        Integer code = cluster.end(life.process()).orElse(-1);
        List<String> lines = life.process().lines();
        long packets = -1;
        long lost = 0;
        for (String line : lines) {
            Matcher all = PACKETS.matcher(line);
            if (all.matches()) {
                packets = Long.parseLong(all.group(1));
            }
            Matcher of = LOST_ROWS.matcher(line);
            while (line.startsWith("outbox rows") && of.find()) {
                lost += Long.parseLong(of.group(1));
            }
        }
        if (packets < 0) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    life.process().name() + " ended with " + code + " and no account",
                    String.join(" ", lines));
        }
        life.ended(Life.End.STOPPED, FaultCluster.nowNs(), packets);
        life.rowsLost(lost);
    }

    Life start(String node) throws InterruptedException {
        return start(node, cluster.outbox(node), Surroundings.NONE);
    }

    /** Starts a node's next worker. Returns when it reads packets. */
    Life start(String node, Path outbox, Surroundings where, String... more)
            throws InterruptedException {
        awaitNextWindow();
        Life life = cluster.worker(node, outbox, where, more);
        life.await();
        return life;
    }

    /** Packets before a stop and after it must not be in one window's rows. */
    static void awaitNextWindow() throws InterruptedException {
        Thread.sleep(Queries.WINDOW_NS / 1_000_000);
    }

    /** Starts workers at once. Returns when they read packets. */
    void startAll() throws InterruptedException {
        List<Life> lives = new ArrayList<>();
        for (String node : nodes) {
            lives.add(cluster.worker(node));
        }
        for (Life life : lives) {
            life.await();
        }
    }
}
