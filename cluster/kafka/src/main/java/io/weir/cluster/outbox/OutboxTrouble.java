package io.weir.cluster.outbox;

import io.weir.cluster.disk.DiskFault;
import java.util.Optional;

/** The reason why entries begin to be lost, or that this is over. */
public enum OutboxTrouble {
    /** The oldest entries make room for new ones. */
    FULL("is full: the oldest are lost"),
    /** New entries are lost. */
    SLOW("waits for a disk that does not keep up: new rows are lost"),
    DISK_FULL("has no room on its disk: new rows are lost"),
    DISK_READ_ONLY("must not write to its disk: new rows are lost"),
    DISK_FAILED("cannot write to its disk: new rows are lost"),
    /** The disk takes what it is given. */
    DISK_OVER("can write to its disk again: new rows are kept");

    private final String text;

    OutboxTrouble(String text) {
        this.text = text;
    }

    static OutboxTrouble of(Optional<DiskFault> fault) {
        return fault.map(
                        known ->
                                switch (known) {
                                    case FULL -> DISK_FULL;
                                    case READ_ONLY -> DISK_READ_ONLY;
                                    case FAILED -> DISK_FAILED;
                                })
                .orElse(DISK_OVER);
    }

    @Override
    public String toString() {
        return text;
    }
}
