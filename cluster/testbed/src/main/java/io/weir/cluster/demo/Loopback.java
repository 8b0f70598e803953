package io.weir.cluster.demo;

import io.weir.cluster.broker.EmbeddedBroker;
import java.util.List;
import java.util.stream.Stream;

/** Finds ports of the loopback. */
public final class Loopback {
    private Loopback() {}

    /** Returns ports for brokers and their controllers, all different. */
    public static List<Integer> freePorts(int count) {
        return Stream.generate(EmbeddedBroker::freePort).limit(count).toList();
    }
}
