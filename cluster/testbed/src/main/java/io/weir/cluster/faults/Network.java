package io.weir.cluster.faults;

import io.weir.cluster.demo.Processes.Surroundings;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network of two ends. Brokers listen on this machine's end. A worker may be put behind the
 * other, in a network namespace of its own, where it can be cut off. Closing removes it.
 */
final class Network implements AutoCloseable {
    /** Each process has its own, because a killed one may have left its network behind. */
    private static final long PID = ProcessHandle.current().pid();

    private static final String HERE = address(1);
    private static final String THERE = address(2);

    private final String name = "weir" + PID % 1_000_000;
    private final boolean made;

    private Network(boolean wanted) {
        made = wanted && make();
    }

    /**
     * @param wanted whether to make one
     */
    static Network of(boolean wanted) {
        return new Network(wanted);
    }

    /** Returns one of four addresses. */
    private static String address(int of) {
        return "10.231." + PID / 64 % 256 + "." + (PID % 64 * 4 + of);
    }

    private boolean make() {
        remove();
        boolean all =
                Shell.tryTo("ip", "netns", "add", name)
                        && Shell.tryTo(
                                "ip", "link", "add", here(), "type", "veth", "peer", "name",
                                there())
                        && Shell.tryTo("ip", "link", "set", there(), "netns", name)
                        && Shell.tryTo("ip", "addr", "add", HERE + "/30", "dev", here())
                        && Shell.tryTo("ip", "link", "set", here(), "up")
                        && inside("ip", "addr", "add", THERE + "/30", "dev", there())
                        && inside("ip", "link", "set", there(), "up")
                        && inside("ip", "link", "set", "lo", "up");
        if (!all) {
            remove();
        }
        return all;
    }

    private boolean inside(String... command) {
        String[] all = new String[4 + command.length];
        System.arraycopy(new String[] {"ip", "netns", "exec", name}, 0, all, 0, 4);
        System.arraycopy(command, 0, all, 4, command.length);
        return Shell.tryTo(all);
    }

    private String here() {
        return name + "a";
    }

    private String there() {
        return name + "b";
    }

    /** Returns the address for brokers, if there is a network. */
    Optional<String> host() {
        return made ? Optional.of(HERE) : Optional.empty();
    }

    void strike(Scene scene, Audit audit) throws InterruptedException, SQLException {
        if (!made) {
            scene.skip("no network namespace can be made here (it takes root, and ip)");
            return;
        }
        String node = scene.anyNode();
        scene.stop(scene.cluster().life(node));
        Surroundings behind = new Surroundings(List.of("ip", "netns", "exec", name), Map.of());
        Life life = scene.start(node, scene.cluster().outbox(node), behind);
        scene.awaitEach(node, life.beginNs());
        scene.pause(500, 2_500);
        long mergedNs = scene.mergedNs();
        Shell.run("ip", "link", "set", here(), "down");
        long atNs = FaultCluster.nowNs();
        scene.say("cut " + node + " off");
        scene.took("noticed", scene.awaitMissing(node, atNs));
        scene.pause(3_000, 9_000);
        Shell.run("ip", "link", "set", here(), "up");
        long healedNs = FaultCluster.nowNs();
        scene.say("healed, after " + (healedNs - atNs) / 1_000_000 + " ms");
        scene.took("its rows come again", scene.awaitEach(node, healedNs));
        audit.silence(mergedNs, atNs, FaultCluster.nowNs());
        scene.took("merged rows", scene.awaitMerged(healedNs));
        scene.stop(life);
        scene.start(node);
    }

    private void remove() {
        Shell.tryTo("ip", "link", "del", here());
        Shell.tryTo("ip", "netns", "del", name);
    }

    @Override
    public void close() {
        if (made) {
            remove();
        }
    }
}
