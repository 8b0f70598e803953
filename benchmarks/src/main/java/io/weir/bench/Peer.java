package io.weir.bench;

import io.weir.bench.kernel.Work;
import java.nio.file.Path;
import java.util.Set;

/** Another system beside which kernels are measured: a process over the packets of a work. */
interface Peer {
    /** In rows and as a command: {@code NAME_mpps}, {@code ratio_NAME}, {@code check NAME}. */
    String name();

    /** For people, with its version. */
    String title();

    /** Works, by their native names, that it can state as Weir does. */
    Set<String> stated();

    /** Whether it can state the work as Weir does; its table has IPv4 addresses only. */
    default boolean states(Work work) {
        return stated().contains(work.nativeName()) && work.ipv6Percent() == 0;
    }

    /** How many passes do not count: until it is as fast as it gets. */
    int warmups();

    /** The process with a work's packets. */
    Contender start(Path packets, Work work);
}
