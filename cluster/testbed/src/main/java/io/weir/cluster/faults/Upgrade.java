package io.weir.cluster.faults;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A rolling upgrade, and the way back, as the operator's guide describes them. Processes end in
 * order, one by one, and nothing may be lost.
 */
final class Upgrade {
    /** The exit code of a Java process that was asked to end. */
    private static final int TERMINATED = 143;

    private Upgrade() {}

    /**
     * Runs with this release's processes before and after.
     *
     * @param release launcher of the other one
     */
    static void strike(Scene scene, Optional<Path> release)
            throws InterruptedException, SQLException {
        Server second = scene.cluster().server();
        second.await();
        scene.servers().add(second);
        scene.say("the catalogue has records of 0.1, too");
        List<String> released = ReleasedRecords.write(scene.cluster().kafka());
        ReleasedRecords.awaitRows(second, released);
        scene.cluster().startsBy(release);
        scene.say("back: workers first, then servers");
        workers(scene);
        servers(scene);
        ReleasedRecords.awaitRows(scene.server(), released);
        scene.cluster().startsBy(Optional.empty());
        scene.say("upgrade: servers first, then workers");
        servers(scene);
        workers(scene);
        ReleasedRecords.awaitRows(scene.server(), released);
        ReleasedRecords.drop(scene.server(), released);
        end(scene, scene.servers().remove(1));
    }

    /** Each has its successor beside it before it ends. */
    private static void servers(Scene scene) throws InterruptedException, SQLException {
        for (Server old : List.copyOf(scene.servers())) {
            Server fresh = scene.cluster().server();
            fresh.await();
            agree(old, fresh);
            scene.awaitMerged(FaultCluster.nowNs());
            scene.servers().remove(old);
            scene.servers().add(fresh);
            long atNs = FaultCluster.nowNs();
            end(scene, old);
            scene.say(old.process().name() + " gave way to " + fresh.process().name());
            scene.took("merged rows, a server replaced,", scene.awaitMerged(atNs));
            agree(fresh, scene.server());
        }
    }

    /** Checks that one server does what the other was told, with any workers. */
    private static void agree(Server one, Server other) throws InterruptedException, SQLException {
        one.execute(
                "CREATE QUERY handed_over AS SELECT window_end, COUNT(*) AS packets"
                        + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
        long sinceNs = Clock.SYSTEM.nanos();
        while (other.count("SELECT * FROM handed_over") == 0) {
            if (Clock.SYSTEM.nanos() - sinceNs > Scene.PATIENCE.toNanos()) {
                throw new WeirException(
                        ErrorCode.INTERNAL,
                        other.process().name()
                                + " has no rows of what "
                                + one.process().name()
                                + " was told");
            }
        }
        other.execute("DROP QUERY handed_over");
    }

    private static void workers(Scene scene) throws InterruptedException {
        for (String node : scene.nodes()) {
            long atNs = FaultCluster.nowNs();
            Life old = scene.cluster().life(node);
            scene.stop(old);
            Life fresh = scene.start(node);
            scene.say(old.process().name() + " gave way to " + fresh.process().name());
            scene.took("rows of a worker replaced", scene.awaitEach(node, atNs));
            scene.took("merged rows, a worker replaced,", scene.awaitMerged(atNs));
        }
    }

    static void end(Scene scene, Server server) throws InterruptedException {
        int code = scene.cluster().end(server.process()).orElse(-1);
        if (code != TERMINATED) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    server.process().name() + " ended with " + code + ", not by SIGTERM",
                    String.join(" ", server.process().lines()));
        }
    }
}
