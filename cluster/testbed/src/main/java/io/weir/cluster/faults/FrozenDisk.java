package io.weir.cluster.faults;

import io.weir.cluster.demo.Processes.Surroundings;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A worker's outbox and a file sink are on a disk of their own (ext4 in a file). It does not answer
 * for some time (fsfreeze). A writer waits in the kernel. The worker reads on, and loses nothing.
 */
final class FrozenDisk {
    private static final long DISK_BYTES = 96L << 20;

    private FrozenDisk() {}

    static void strike(Scene scene) throws Exception {
        Path folder = Files.createDirectories(scene.cluster().directory().resolve("frozen"));
        Path image = folder.resolve("image");
        Path disk = Files.createDirectories(folder.resolve("disk"));
        if (!isMounted(image, disk)) {
            scene.skip("no disk can be made here that freezes (it takes root, ext4 and a loop)");
            return;
        }
        try {
            strike(scene, disk);
        } finally {
            if (!Shell.tryTo("umount", disk.toString())) {
                Shell.tryTo("umount", "-l", disk.toString());
            }
        }
    }

    private static boolean isMounted(Path image, Path disk) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(DISK_BYTES);
        }
        return Shell.tryTo("mkfs.ext4", "-q", image.toString())
                && Shell.tryTo("mount", "-o", "loop", image.toString(), disk.toString());
    }

    private static void strike(Scene scene, Path disk) throws Exception {
        String node = scene.anyNode();
        scene.stop(scene.cluster().life(node));
        Path outbox = disk.resolve("outbox");
        String rows = "file:" + disk.resolve("rows");
        Life life =
                scene.start(node, outbox, Surroundings.NONE, "--outbox-size", "8", "--sink", rows);
        scene.awaitEach(node, life.beginNs());
        Shell.run("fsfreeze", "-f", disk.toString());
        long atNs = FaultCluster.nowNs();
        long before = life.read().orElseThrow();
        try {
            scene.say("froze the disk under the outbox of " + node);
            scene.pause(6_000, 9_000);
            check(scene, life, atNs, before);
        } finally {
            Shell.run("fsfreeze", "-u", disk.toString());
        }
        long thawedNs = FaultCluster.nowNs();
        scene.say("the disk answers again");
        scene.took("its rows come again", scene.awaitEach(node, thawedNs));
        scene.stop(life);
        if (life.rowsLost() > 0) {
            throw wrong(node + " has lost " + life.rowsLost() + " rows");
        }
        scene.start(node);
    }

    /** Checks that packets are read on at their pace, and that others see the worker. */
    private static void check(Scene scene, Life life, long atNs, long before) throws Exception {
        double seconds = (FaultCluster.nowNs() - atNs) / 1e9;
        long read = life.read().orElseThrow() - before;
        double due = seconds * scene.frames().packetsASecond();
        scene.say(read + " packets were read meanwhile, of " + Math.round(due));
        if (read < due / 2) {
            throw wrong("packets wait for the disk: " + read + " of " + due);
        }
        String state = scene.server().state(life.node());
        if (state.startsWith("missing")) {
            throw wrong(life.node() + " is " + state);
        }
    }

    private static WeirException wrong(String what) {
        return new WeirException(ErrorCode.INTERNAL, what);
    }
}
