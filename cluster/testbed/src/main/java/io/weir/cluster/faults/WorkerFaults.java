package io.weir.cluster.faults;

import io.weir.cluster.demo.Processes.Surroundings;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** The faults of a worker's process. */
final class WorkerFaults {
    private static final String REPLACED = "taken this one's place";

    private WorkerFaults() {}

    /**
     * Kills it twice. First it is started again at once, as by systemd, then after the others have
     * noticed.
     */
    static void kill(Scene scene, Audit audit) throws InterruptedException, SQLException {
        for (boolean noticed : new boolean[] {false, true}) {
            String node = scene.anyNode();
            scene.pause(500, 2_500);
            long mergedNs = scene.mergedNs();
            Life killed = scene.cluster().life(node);
            long atNs = scene.kill(killed);
            scene.say("killed " + node);
            if (noticed) {
                scene.took("noticed", scene.awaitMissing(node, atNs));
            }
            audit.killed(mergedNs, killed, scene.start(node));
            String when =
                    noticed
                            ? "its rows are there again, started once it was noticed,"
                            : "its rows are there again";
            scene.took(when, scene.awaitEach(node, atNs));
            scene.took("merged rows", scene.awaitMerged(atNs));
        }
    }

    /** Asserts that a replaced worker writes nothing, and ends. */
    static void freeze(Scene scene, Audit audit) throws InterruptedException, SQLException {
        String node = scene.anyNode();
        scene.pause(500, 2_500);
        Life frozen = scene.cluster().life(node);
        long mergedNs = scene.mergedNs();
        scene.cluster().freeze(frozen.process());
        long atNs = scene.ended(frozen, Life.End.REPLACED);
        scene.say("froze " + node);
        scene.took("noticed", scene.awaitMissing(node, atNs));
        Path other = Path.of(scene.cluster().outbox(node) + "." + scene.cluster().lives().size());
        scene.start(node, other, Surroundings.NONE);
        audit.loss(mergedNs, atNs, scene.cluster().life(node).beginNs());
        scene.took("another's rows are there", scene.awaitEach(node, atNs));
        scene.awaitMerged(atNs);
        scene.cluster().thaw(frozen.process());
        long thawedNs = Clock.SYSTEM.nanos();
        Process process = frozen.process().process();
        if (!process.waitFor(Scene.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new WeirException(
                    ErrorCode.INTERNAL, frozen.process().name() + " goes on beside another");
        }
        long ms = (Clock.SYSTEM.nanos() - thawedNs) / 1_000_000;
        if (process.exitValue() == 0
                || frozen.process().lines().stream().noneMatch(l -> l.contains(REPLACED))) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    frozen.process().name() + " does not say that it was replaced",
                    String.join(" ", frozen.process().lines()));
        }
        scene.took("thawed, it has ended by itself", ms);
    }
}
