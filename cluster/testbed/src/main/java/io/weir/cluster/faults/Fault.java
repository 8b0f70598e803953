package io.weir.cluster.faults;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The faults of a cluster, in the order of how much they show. */
public enum Fault {
    KILL_WORKER("a worker is killed (kill -9), and started again"),
    KILL_SERVER("the SQL server that merges is killed, while another is there"),
    KILL_LEADER("the Kafka broker that leads a topic of rows is killed, and started again"),
    ALL_BROKERS("all brokers are stopped, or killed with a worker, and started again"),
    FREEZE_BROKERS("all brokers are frozen: they take connections and never answer; and thawed"),
    FREEZE_WORKER("a worker is frozen (SIGSTOP) past its session, replaced, and thawed"),
    FREEZE_SERVER("the SQL server that merges is frozen, another merges, and it is thawed"),
    COMBINATIONS("brokers, the SQL server and workers are killed and started in a random order"),
    POISON("bytes of no meaning are written to each topic"),
    FULL_DISK("the disk under a worker's outbox fills up, and has room again"),
    FREEZE_DISK("the disk under a worker's outbox does not answer for a while"),
    CUT_NETWORK("a worker's network is cut off, and healed"),
    CLOCK_SKEW("a worker's clock is 5 s ahead, another's 5 s behind"),
    MANY_QUERIES("queries of twenty shapes come and go, 1,000 where --queries does not say"),
    UPGRADE("servers and workers are replaced one by one by another release's, and back");

    private final String about;

    Fault(String about) {
        this.about = about;
    }

    public String about() {
        return about;
    }

    /** Returns the name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Fault> of(String label) {
        return Arrays.stream(values()).filter(fault -> fault.label().equals(label)).findFirst();
    }
}
