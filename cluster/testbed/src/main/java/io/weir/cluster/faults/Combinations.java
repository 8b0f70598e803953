package io.weir.cluster.faults;

import io.weir.cluster.demo.Processes.Started;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Brokers, the SQL server and workers are killed and started again in an order that the seed
 * decides. Two may be away at once, and one may be killed while another comes back. It asserts that
 * each packet is reported once, and that merged rows come again soon after the last start.
 */
final class Combinations {
    private static final String BROKERS = "the brokers";
    private static final String SERVER = "the SQL server";
    private static final int LEAST_STEPS = 6;
    private static final int MORE_STEPS = 4;
    private static final int LONGEST_PAUSE_MS = 5_000;
    private static final int LONGEST_PAUSE_OF_STARTS_MS = 1_500;

    /** One worker in so many ends in order. The others are killed. */
    private static final int IN_ORDER = 4;

    /** The time includes a window's length, on a busy machine. */
    private static final long MERGES_WITHIN_MS = 30_000;

    private final Scene scene;
    private final Audit audit;
    private final Random random;
    private final List<String> targets = new ArrayList<>();
    private final Map<Life, Long> killedAtMergedNs = new HashMap<>();
    private boolean haveBrokers = true;

    private Combinations(Scene scene, Audit audit) {
        this.scene = scene;
        this.audit = audit;
        this.random = scene.random();
        targets.add(BROKERS);
        targets.add(SERVER);
        targets.addAll(scene.nodes());
    }

    static void strike(Scene scene, Audit audit) throws InterruptedException, SQLException {
        new Combinations(scene, audit).strike();
    }

    private void strike() throws InterruptedException, SQLException {
        int steps = LEAST_STEPS + random.nextInt(MORE_STEPS);
        for (int i = 0; i < steps; i++) {
            scene.pause(100, LONGEST_PAUSE_MS);
            String target = targets.get(random.nextInt(targets.size()));
            if (isAlive(target)) {
                end(target);
            } else {
                start(target);
            }
        }
        startAll();
        long backNs = FaultCluster.nowNs();
        killedAtMergedNs.forEach(this::tell);
        for (String node : scene.nodes()) {
            scene.took("rows of a worker", scene.awaitEach(node, backNs));
        }
        long ms = scene.awaitMerged(backNs);
        scene.took("all run again: merged rows", ms);
        if (ms > MERGES_WITHIN_MS) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "the merge was away for " + ms + " ms after the last start");
        }
    }

    private boolean isAlive(String target) {
        return target.equals(BROKERS) ? haveBrokers : process(target).process().isAlive();
    }

    private Started process(String target) {
        return target.equals(SERVER)
                ? scene.server().process()
                : scene.cluster().life(target).process();
    }

    private void end(String target) throws InterruptedException {
        if (target.equals(BROKERS)) {
            for (int i = 0; i < scene.cluster().brokers(); i++) {
                scene.cluster().killBroker(i);
            }
            haveBrokers = false;
        } else if (target.equals(SERVER)) {
            scene.cluster().kill(scene.server().process());
        } else if (endsInOrder(target)) {
            scene.stop(scene.cluster().life(target));
            scene.say("stopped " + target);
            return;
        } else {
            long mergedNs = scene.mergedNs();
            Life life = scene.cluster().life(target);
            scene.kill(life);
            life.beganIfSaid();
            killedAtMergedNs.put(life, mergedNs);
        }
        scene.say("killed " + target);
    }

    /** A worker that has not begun yet would have no account. */
    private boolean endsInOrder(String node) {
        boolean chosen = random.nextInt(IN_ORDER) == 0;
        return chosen && haveBrokers && scene.cluster().life(node).beganIfSaid();
    }

    /** Starts without a wait: it may be killed while it starts. */
    private void start(String target) throws InterruptedException {
        scene.say("starting " + target);
        if (target.equals(BROKERS)) {
            scene.cluster().startBrokers();
            haveBrokers = true;
        } else if (target.equals(SERVER)) {
            scene.servers().set(0, scene.cluster().server());
        } else {
            Scene.awaitNextWindow();
            scene.cluster().worker(target);
        }
    }

    /** Starts in any order. A process that found no brokers and has ended is started again. */
    private void startAll() throws InterruptedException {
        List<String> away = new ArrayList<>(targets);
        Collections.shuffle(away, random);
        away.removeIf(this::isAlive);
        for (String target : away) {
            start(target);
            scene.pause(0, LONGEST_PAUSE_OF_STARTS_MS);
        }
        awaitServer();
        for (String node : scene.nodes()) {
            awaitBegin(node);
        }
        scene.say("all run again");
    }

    private void awaitServer() throws InterruptedException {
        while (!scene.server().comes()) {
            start(SERVER);
        }
    }

    private void awaitBegin(String node) throws InterruptedException {
        while (!scene.cluster().life(node).comes()) {
            Life gone = scene.cluster().life(node);
            gone.ended(Life.End.KILLED, FaultCluster.nowNs(), gone.read().orElse(0));
            start(node);
        }
    }

    private void tell(Life killed, long mergedNs) {
        List<Life> after =
                scene.cluster().lives().stream()
                        .filter(life -> life.node().equals(killed.node()))
                        .toList();
        after.subList(after.indexOf(killed) + 1, after.size()).stream()
                .filter(life -> life.beginNs() != Long.MAX_VALUE)
                .findFirst()
                .ifPresent(next -> audit.killed(mergedNs, killed, next));
    }
}
