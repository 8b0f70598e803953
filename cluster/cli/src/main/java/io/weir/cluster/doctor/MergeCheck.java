package io.weir.cluster.doctor;

import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.inspect.Inspection;
import io.weir.cluster.merge.MergeService;
import io.weir.cluster.wire.Heartbeat;
import java.util.List;

/** Checks whether the merge is there, and keeps up. It looks twice, with time between. */
final class MergeCheck {
    /** Ends of transactions count as unread records, so a few mean nothing. */
    private static final long FEW = 100;

    private final Inspection kafka;
    private final int shards;
    private final long lagBefore;

    /** Takes the first look. */
    MergeCheck(Inspection kafka, int shards) {
        this.kafka = kafka;
        this.shards = shards;
        this.lagBefore = lag();
    }

    private long lag() {
        return kafka.lag(MergeService.APPLICATION, Topics.PARTIALS, shards)
                + kafka.lag(MergeService.APPLICATION, Topics.WINDOWS, 1);
    }

    /**
     * Takes the second look.
     *
     * @param servers those that live, with their reports
     */
    Finding run(List<Heartbeat> servers) {
        List<String> stalls =
                servers.stream().flatMap(s -> s.getMergeStallList().stream()).distinct().toList();
        if (!stalls.isEmpty()) {
            return Finding.broken(
                    "merge",
                    String.join("; ", stalls),
                    "start the source that it waits for, or stop it in order; SHOW EVENTS shows when it goes on");
        }
        return behind();
    }

    private Finding behind() {
        long lag = lag();
        int members = kafka.members(MergeService.APPLICATION);
        if (members == 0) {
            return lag > FEW
                    ? Finding.broken(
                            "merge",
                            "nobody merges, and " + lag + " parcels wait",
                            "start a weir server --kafka … without --no-merge")
                    : Finding.note(
                            "merge",
                            "nobody merges",
                            "windows of several workers need a weir server without --no-merge");
        } else if (lag > FEW && lag >= lagBefore) {
            return Finding.broken(
                    "merge",
                    lag + " parcels wait, and their number does not fall",
                    "start another weir server --kafka …: they share the work");
        }
        return Finding.ok("merge", members + " at work, " + lag + " parcels behind");
    }
}
