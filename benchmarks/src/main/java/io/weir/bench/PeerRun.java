package io.weir.bench;

import io.weir.bench.ResultHash.Answer;
import io.weir.bench.kernel.Work;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a peer on a work. It reads packets, not GPVs, and has no state from pass to pass. So its
 * figure is the same for every layout and state of the work, and is measured once. One thread.
 */
final class PeerRun {
    private final Peer peer;
    private final List<Double> seconds = new ArrayList<>();
    private final Answer answer;

    /** Runs it, pass after pass, and fetches its answer. */
    PeerRun(Peer peer, Path packets, Work work, int passes) {
        this.peer = peer;
        try (Contender process = peer.start(packets, work)) {
            for (int pass = 0; pass < peer.warmups() + passes; pass++) {
                double took = process.pass(peer.name());
                if (pass >= peer.warmups()) {
                    seconds.add(took);
                }
            }
            answer = process.check(peer.name());
        }
    }

    String name() {
        return peer.name();
    }

    /** Returns the median pass. */
    double seconds() {
        return Median.of(seconds);
    }

    /** Warm tables hold several passes, so only the number of rows can be compared. */
    boolean agrees(Answer weir, Work.State state) {
        return state == Work.State.WARM ? answer.rows() == weir.rows() : answer.equals(weir);
    }
}
