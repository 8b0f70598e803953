package io.weir.cluster.faults;

import io.weir.cluster.demo.Stopping;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Runs faults, one after another, on one cluster, and checks all rows after each. It reports the
 * events and their times. It leaves nothing running.
 */
public final class FaultRun {
    private static final List<String> NODES = List.of("Node1", "Node2");
    private static final String LOOPBACK = "127.0.0.1";
    private static final String STOPPED = "STOPPED, what was looked at was right";

    private final Options options;
    private final PrintStream out;
    private final Stopping stopping;

    /**
     * @param directory for logs, outboxes and Kafka's files
     * @param capture packets to replay
     * @param shards of the merge
     * @param soak how long faults come by chance, after each has come once
     * @param away how long all brokers are away, or frozen; zero: some seconds, by chance
     * @param release the launcher of the release that takes over for some time; empty: this one
     */
    public record Options(
            Path directory,
            Path capture,
            List<Fault> faults,
            long seed,
            int brokers,
            int shards,
            int queries,
            Duration soak,
            Duration away,
            Optional<Path> release) {}

    /**
     * @param stopping is looked at between two faults
     */
    public FaultRun(Options options, PrintStream out, Stopping stopping) {
        this.options = options;
        this.out = out;
        this.stopping = stopping;
    }

    /**
     * Runs. Its last line says how it ended, before the error if there is one.
     *
     * @throws WeirException INTERNAL when something is not right
     */
    public void run() throws Exception {
        long startedNs = Clock.SYSTEM.nanos();
        Times times = new Times();
        try {
            run(startedNs, times);
        } catch (InterruptedException e) {
            tell(times, startedNs, STOPPED);
            throw e;
        } catch (Exception e) {
            if (stopping.isAsked()) {
                tell(times, startedNs, STOPPED);
                throw e;
            }
            Fault now = times.now();
            tell(times, startedNs, "FAILED" + (now == null ? "" : " in " + now.label()));
            throw e;
        }
        tell(times, startedNs, "PASSED, all rows are right");
    }

    private void tell(Times times, long startedNs, String verdict) {
        times.lines().forEach(out::println);
        long s = (Clock.SYSTEM.nanos() - startedNs) / 1_000_000_000L;
        out.println(
                verdict
                        + (": " + times.faults() + " faults in " + s + " s, seed ")
                        + (options.seed() + ", " + options.brokers() + " brokers"));
    }

    private void run(long startedNs, Times times) throws Exception {
        Path excerpt = Excerpt.of(options.capture(), options.directory().resolve("excerpt.pcap"));
        Frames frames = new Frames(excerpt);
        try (Network network = Network.of(options.faults().contains(Fault.CUT_NETWORK));
                FaultCluster cluster =
                        new FaultCluster(
                                options.directory(),
                                excerpt,
                                network.host().orElse(LOOPBACK),
                                options.brokers(),
                                options.shards())) {
            cluster.startBrokers();
            RowLog log = new RowLog();
            try (RowTail rows = new RowTail(cluster.kafka(), log);
                    WakeTail wakes = new WakeTail(cluster.kafka(), log)) {
                List<Server> servers = new ArrayList<>(List.of(cluster.server()));
                Scene scene =
                        new Scene(
                                cluster,
                                frames,
                                log,
                                servers,
                                NODES,
                                new Random(options.seed()),
                                times,
                                out,
                                startedNs);
                create(scene);
                rows.start();
                wakes.start();
                run(scene, network);
            }
        }
    }

    private static void create(Scene scene) throws SQLException, InterruptedException {
        for (String create : Queries.create(scene.frames().packetsASecond())) {
            scene.server().execute(create);
        }
    }

    private void run(Scene scene, Network network) throws Exception {
        long startedNs = FaultCluster.nowNs();
        scene.startAll();
        for (String node : scene.nodes()) {
            scene.awaitEach(node, startedNs);
        }
        scene.awaitMerged(startedNs);
        scene.say("a cluster runs; seed " + options.seed());
        Audit audit =
                new Audit(scene.frames(), scene.cluster().lives(), scene.log(), options.shards());
        for (Fault fault : options.faults()) {
            strike(fault, scene, network, audit);
        }
        long untilNs = Clock.SYSTEM.nanos() + options.soak().toNanos();
        while (Clock.SYSTEM.nanos() < untilNs && !options.soak().isZero()) {
            List<Fault> faults = options.faults();
            strike(faults.get(scene.random().nextInt(faults.size())), scene, network, audit);
        }
        end(scene, audit);
    }

    private void strike(Fault fault, Scene scene, Network network, Audit audit) throws Exception {
        stopping.check();
        scene.say("-- " + fault.label() + ": " + fault.about());
        scene.times().begins(fault);
        switch (fault) {
            case KILL_WORKER -> WorkerFaults.kill(scene, audit);
            case FREEZE_WORKER -> WorkerFaults.freeze(scene, audit);
            case KILL_SERVER -> ServerFaults.kill(scene);
            case FREEZE_SERVER -> ServerFaults.freeze(scene);
            case KILL_LEADER -> BrokerFaults.leader(scene);
            case ALL_BROKERS -> BrokerFaults.all(scene, audit, options.away());
            case FREEZE_BROKERS -> BrokerFaults.freeze(scene, options.away());
            case COMBINATIONS -> Combinations.strike(scene, audit);
            case POISON -> Poison.strike(scene);
            case FULL_DISK -> FullDisk.strike(scene, audit);
            case FREEZE_DISK -> FrozenDisk.strike(scene);
            case CUT_NETWORK -> network.strike(scene, audit);
            case CLOCK_SKEW -> ClockSkew.strike(scene);
            case MANY_QUERIES -> ManyQueries.strike(scene, options.queries());
            case UPGRADE -> Upgrade.strike(scene, options.release());
        }
        settle(scene, audit);
        scene.times().ended();
    }

    /** Checks all windows up to now, once they are there. */
    private void settle(Scene scene, Audit audit) throws InterruptedException {
        long nowNs = FaultCluster.nowNs();
        long horizonNs = Queries.endNs(nowNs);
        for (String node : scene.nodes()) {
            scene.awaitEach(node, horizonNs);
        }
        scene.awaitMerged(horizonNs);
        audit.awaitWakes(horizonNs, Scene.PATIENCE);
        audit.upTo(horizonNs);
        judge(scene, audit);
    }

    private void judge(Scene scene, Audit audit) {
        scene.say(audit.summary());
        if (!audit.wrong().isEmpty()) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "rows are not right, seed " + options.seed() + ":\n" + lines(audit),
                    "logs are in " + options.directory());
        }
    }

    private static String lines(Audit audit) {
        return String.join("\n", audit.wrong());
    }

    /** Stops the workers in order, and checks the last of their windows. */
    private void end(Scene scene, Audit audit) throws InterruptedException {
        for (String node : scene.nodes()) {
            scene.stop(scene.cluster().life(node));
        }
        long endNs =
                Queries.endNs(
                        scene.cluster().lives().stream()
                                .filter(life -> life.end() == Life.End.STOPPED)
                                .mapToLong(Life::endNs)
                                .max()
                                .orElseThrow());
        audit.awaitAll(endNs, Scene.PATIENCE);
        audit.upTo(endNs);
        scene.cluster().lives().forEach(audit::told);
        judge(scene, audit);
    }
}
