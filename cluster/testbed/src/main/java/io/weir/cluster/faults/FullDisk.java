package io.weir.cluster.faults;

import io.weir.cluster.demo.Processes.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A worker's outbox is on a small disk of its own (tmpfs), which is smaller than the outbox may be.
 * Another process fills it to the last byte, again and again. Rows without room are lost, and
 * reported; the others are right.
 */
final class FullDisk {
    private static final String SIZE = "size=12m";
    private static final int PIECE_BYTES = 16 << 10;
    private static final int TIMES = 3;

    private FullDisk() {}

    static void strike(Scene scene, Audit audit) throws Exception {
        Path disk = Files.createDirectories(scene.cluster().directory().resolve("disk"));
        if (!Shell.tryTo("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", disk.toString())) {
            scene.skip("no disk can be mounted here (it takes root)");
            return;
        }
        try {
            strike(scene, audit, disk);
        } finally {
            if (!Shell.tryTo("umount", disk.toString())) {
                Shell.tryTo("umount", "-l", disk.toString());
            }
        }
    }

    private static void strike(Scene scene, Audit audit, Path disk) throws Exception {
        String node = scene.anyNode();
        scene.stop(scene.cluster().life(node));
        Path outbox = disk.resolve("outbox");
        Life life = scene.start(node, outbox, Surroundings.NONE, "--outbox-size", "8");
        scene.awaitEach(node, life.beginNs());
        Path filler = disk.resolve("filler");
        long atNs = FaultCluster.nowNs();
        long mergedNs = scene.mergedNs();
        for (int time = 0; time < TIMES; time++) {
            fill(filler);
            scene.say("the disk under the outbox of " + node + " is full");
            awaitLoss(scene, node, life);
            scene.pause(1_000, 3_000);
            Files.delete(filler);
            long roomNs = FaultCluster.nowNs();
            scene.say("there is room again");
            scene.took("its rows come again", scene.awaitEach(node, roomNs));
        }
        audit.loss(mergedNs, atNs, FaultCluster.nowNs());
        scene.stop(life);
        scene.say("it has told of " + life.rowsLost() + " lost rows");
        scene.start(node);
    }

    private static void awaitLoss(Scene scene, String node, Life life) throws Exception {
        long atNs = FaultCluster.nowNs();
        long before = scene.server().lost(node);
        while (scene.server().lost(node) <= before) {
            scene.check(life, atNs);
            Thread.sleep(100);
        }
        scene.took("it tells of lost rows", (FaultCluster.nowNs() - atNs) / 1_000_000);
    }

    /** To the last byte. */
    private static void fill(Path filler) {
        byte[] piece = new byte[PIECE_BYTES];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(piece);
            }
        } catch (IOException full) {
            return;
        }
    }
}
