package io.weir.ingest.capture;

import io.weir.operators.account.Stage;
import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of each file that is followed: in the account, in notes, and as gaps in the packets.
 * One thread.
 */
final class FollowedCounts {
    private static final int MOST_NOTES = 20;

    private final Stage files;
    private final List<String> notes = new ArrayList<>();
    private long more;
    private boolean gap;

    /**
     * @param files a page that counts files
     */
    FollowedCounts(Stage files) {
        this.files = files;
    }

    void read() {
        files.offered().add(1);
        files.processed().add(1);
    }

    /** Counts files with packets that nobody has read, and nobody has counted. */
    void lose(String reason, long count, String note) {
        files.offered().add(count);
        files.lost(reason).add(count);
        gap = true;
        note(note);
    }

    void exclude(String reason, String note) {
        files.offered().add(1);
        files.excluded(reason).add(1);
        note(note);
    }

    void note(String note) {
        if (notes.size() < MOST_NOTES) {
            notes.add(note);
        } else {
            more++;
        }
    }

    /** Returns whether files were lost since the last call. */
    boolean takeGap() {
        boolean since = gap;
        gap = false;
        return since;
    }

    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (more > 0) {
            all.add("more notes on files that are followed: " + more);
        }
        return all;
    }
}
