package io.weir.ingest.source;

import java.util.Locale;

/** The state of a live source. The state of several queues is the last of theirs. */
public enum SourceState {
    /** Its packets have ended. */
    ENDED,
    /** Packets can come. */
    RUNNING,
    /** It is being opened, as a pipe without a writer; or it is open, and its link is down. */
    WAITING,
    /** It failed, and is opened again after a while. */
    RETRYING,
    /** It failed, and cannot come back. */
    FAILED;

    /** Returns whether no packet comes any more. */
    boolean isOver() {
        return this == ENDED || this == FAILED;
    }

    /** Returns whether it failed last. */
    public boolean isFault() {
        return this == RETRYING || this == FAILED;
    }

    /** Returns its name for users. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
