package io.weir.cluster.demo;

import io.weir.cluster.kafka.EmbeddedBroker;
import java.util.List;
import java.util.stream.Stream;

/** Ports of the loopback. */
public final class Loopback {
    private Loopback() {}

    /** For brokers and their controllers, each another one. */
    public static List<Integer> freePorts(int count) {
        return Stream.generate(EmbeddedBroker::freePort).limit(count).toList();
    }
}
