package io.weir.bench;

import io.weir.bench.kernel.Work;
import java.nio.file.Path;
import java.util.Set;

/** Another system beside which kernels are measured: a process over the packets of a work. */
interface Peer {
    /**
     * Returns its name in rows and as a command: {@code NAME_mpps}, {@code ratio_NAME}, {@code
     * check NAME}.
     */
    String name();

    /** Returns its name and version for people. */
    String title();

    /** Returns the works, by native name, that it can state as Weir does. */
    Set<String> stated();

    /** Returns whether it can state the work as Weir does. Its table has IPv4 addresses only. */
    default boolean states(Work work) {
        return stated().contains(work.nativeName()) && work.ipv6Percent() == 0;
    }

    /** Returns how many passes do not count, until it has its full speed. */
    int warmups();

    /** Starts the process with a work's packets. */
    Contender start(Path packets, Work work);
}
