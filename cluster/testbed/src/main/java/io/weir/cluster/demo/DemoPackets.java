package io.weir.cluster.demo;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The packets of a demonstration's workers: a capture that all replay, or a live source of each.
 */
public sealed interface DemoPackets {
    /** Returns the nodes; each has a worker. */
    List<String> nodes();

    /**
     * Returns the options of a node's worker.
     *
     * @param begin of the packets, where they have a begin
     */
    List<String> options(String node, Instant begin);

    /** Returns whether they come at their own time. */
    boolean areLive();

    /** A capture that three nodes saw at the same time. It is replayed, faster, again and again. */
    record Replayed(Path capture) implements DemoPackets {
        private static final int SPEED = 4;

        @Override
        public List<String> nodes() {
            return List.of("Node1", "Node2", "Node3");
        }

        @Override
        public List<String> options(String node, Instant begin) {
            return List.of(
                    "--pcap",
                    capture.toString(),
                    "--repeat",
                    "--wait",
                    "park",
                    "--speed",
                    Integer.toString(SPEED),
                    "--begin",
                    begin.toString());
        }

        @Override
        public boolean areLive() {
            return false;
        }
    }

    /**
     * Live sources.
     *
     * @param uris by node, in order
     */
    record Live(Map<String, String> uris) implements DemoPackets {
        @Override
        public List<String> nodes() {
            return new ArrayList<>(uris.keySet());
        }

        @Override
        public List<String> options(String node, Instant begin) {
            return List.of("--source", uris.get(node));
        }

        @Override
        public boolean areLive() {
            return true;
        }
    }
}
