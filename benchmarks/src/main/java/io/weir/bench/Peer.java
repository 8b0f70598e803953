package io.weir.bench;

import io.weir.bench.kernel.Work;
import java.nio.file.Path;

/** Another system beside which kernels are measured: a process over the packets of a work. */
interface Peer {
    /** In rows and as a command: {@code NAME_mpps}, {@code ratio_NAME}, {@code check NAME}. */
    String name();

    /** For people, with its version. */
    String title();

    /** Whether it can state the work as Weir does. */
    boolean states(Work work);

    /** How many passes do not count: until it is as fast as it gets. */
    int warmups();

    /** The process with a work's packets. */
    Contender start(Path packets, Work work);
}
