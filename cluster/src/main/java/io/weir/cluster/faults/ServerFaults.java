package io.weir.cluster.faults;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.sql.SQLException;

/** What can happen to a SQL server. */
final class ServerFaults {
    private ServerFaults() {}

    /** All but one are killed, in a row or the other; so the merge moves. */
    static void kill(Scene scene) throws InterruptedException, SQLException {
        Server second = scene.cluster().server();
        second.await();
        scene.say("a second server runs");
        scene.awaitMerged(FaultCluster.nowNs());
        Server killed = scene.servers().remove(0);
        scene.servers().add(second);
        scene.pause(500, 2_500);
        long atNs = FaultCluster.nowNs();
        scene.cluster().kill(killed.process());
        scene.say("killed the first, which had shards to merge");
        String node = scene.anyNode();
        String state = second.state(node);
        if (!state.equals("running")) {
            throw new WeirException(
                    ErrorCode.INTERNAL, "to the second server " + node + " is '" + state + "'");
        }
        long ms = (FaultCluster.nowNs() - atNs) / 1_000_000;
        scene.took("the other answers as before", ms);
        scene.took("it has merged all shards' rows", scene.awaitMerged(atNs));
    }
}
