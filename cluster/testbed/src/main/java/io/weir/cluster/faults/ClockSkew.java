package io.weir.cluster.faults;

import io.weir.cluster.demo.Processes.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Workers with wrong clocks, by libfaketime: one ahead, whose packets come early, and one behind.
 */
final class ClockSkew {
    private static final int SECONDS = 5;
    private static final List<Path> LIBRARIES =
            List.of(
                    Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
                    Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"));

    private ClockSkew() {}

    static void strike(Scene scene) throws InterruptedException {
        Path library = LIBRARIES.stream().filter(Files::exists).findFirst().orElse(null);
        if (library == null) {
            scene.skip("there is no libfaketime here (apt-get install libfaketime)");
            return;
        }
        for (String node : scene.nodes()) {
            scene.stop(scene.cluster().life(node));
        }
        // Nobody has had packets of the time that the clock behind shows. That worker comes first,
        // because the merge waits for the workers that it knows.
        awaitSkew();
        int ahead = -SECONDS;
        for (String node : scene.nodes()) {
            Surroundings skewed =
                    new Surroundings(
                            List.of(),
                            Map.of(
                                    "LD_PRELOAD",
                                    library.toString(),
                                    "FAKETIME",
                                    (ahead < 0 ? "" : "+") + ahead + "s",
                                    "FAKETIME_DONT_FAKE_MONOTONIC",
                                    "1",
                                    // Otherwise the JVM's waits end at once, and it does nothing
                                    // else.
                                    "FAKETIME_FORCE_MONOTONIC_FIX",
                                    "0"));
            scene.start(node, scene.cluster().outbox(node), skewed);
            scene.say(node + " runs with a clock of " + (ahead < 0 ? "" : "+") + ahead + " s");
            ahead = -ahead;
        }
        long atNs = FaultCluster.nowNs();
        for (String node : scene.nodes()) {
            scene.awaitEach(node, atNs);
        }
        scene.took("merged rows come", scene.awaitMerged(atNs));
        for (String node : scene.nodes()) {
            scene.stop(scene.cluster().life(node));
        }
        // The worker with the clock ahead has had packets of future times.
        awaitSkew();
        scene.startAll();
        scene.say("their clocks are right again");
    }

    private static void awaitSkew() throws InterruptedException {
        Thread.sleep((SECONDS + 1) * 1_000L);
    }
}
