package io.weir.cluster.faults;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.sql.SQLException;

/** The faults of a SQL server. */
final class ServerFaults {
    private ServerFaults() {}

    /** Kills all but one, in either order, so that the merge moves. */
    static void kill(Scene scene) throws InterruptedException, SQLException {
        Server second = second(scene);
        Server killed = scene.servers().remove(0);
        scene.servers().add(second);
        scene.pause(500, 2_500);
        long atNs = FaultCluster.nowNs();
        scene.cluster().kill(killed.process());
        scene.say("killed the first, which had shards to merge");
        checkAnswers(scene, second, atNs);
        scene.took("it has merged all shards' rows", scene.awaitMerged(atNs));
    }

    /**
     * Asserts two things. Once another has its shards, its later output is in no row and wakes
     * nobody. After that it is an instance like any other, and merges all when that one ends.
     */
    static void freeze(Scene scene) throws InterruptedException, SQLException {
        Server second = second(scene);
        Server frozen = scene.server();
        scene.pause(500, 2_500);
        long atNs = FaultCluster.nowNs();
        scene.cluster().freeze(frozen.process());
        scene.say("froze the first, which had shards to merge");
        checkAnswers(scene, second, atNs);
        scene.took("the other has merged all shards' rows", scene.awaitMerged(atNs));
        scene.cluster().thaw(frozen.process());
        long thawedNs = FaultCluster.nowNs();
        scene.took("thawed, it hears all workers", awaitHeard(scene, frozen, thawedNs));
        scene.took("thawed, merged rows", scene.awaitMerged(thawedNs));
        long alsoNs = FaultCluster.nowNs();
        Upgrade.end(scene, second);
        scene.took("it merges alone", scene.awaitMerged(alsoNs));
    }

    /** Starts one beside the first, which merges too. */
    private static Server second(Scene scene) throws InterruptedException {
        Server second = scene.cluster().server();
        second.await();
        scene.say("a second server runs");
        scene.awaitMerged(FaultCluster.nowNs());
        return second;
    }

    private static void checkAnswers(Scene scene, Server second, long sinceNs)
            throws InterruptedException, SQLException {
        String node = scene.anyNode();
        String state = second.state(node);
        if (!state.equals("running")) {
            throw new WeirException(
                    ErrorCode.INTERNAL, "to the second server " + node + " is '" + state + "'");
        }
        long ms = (FaultCluster.nowNs() - sinceNs) / 1_000_000;
        scene.took("the other answers as before", ms);
    }

    /**
     * Waits until the thawed server, which heard nobody while frozen, calls each worker running.
     * Returns the ms.
     */
    private static long awaitHeard(Scene scene, Server thawed, long sinceNs)
            throws InterruptedException, SQLException {
        for (String node : scene.nodes()) {
            while (!thawed.state(node).equals("running")) {
                if (FaultCluster.nowNs() - sinceNs > Scene.PATIENCE.toNanos()) {
                    throw new WeirException(
                            ErrorCode.INTERNAL, "the thawed server does not hear " + node);
                }
                Thread.sleep(50);
            }
        }
        return (FaultCluster.nowNs() - sinceNs) / 1_000_000;
    }
}
