package io.weir.ingest.wire.gpv;

/** The outcome of a sound block at its sender. */
enum Verdict {
    TAKEN,
    /** It was here before. */
    DUPLICATE,
    /** It comes more than 64 blocks after its turn: it is lost already. */
    STALE,
    /** It belongs to an epoch before the present one, as a replay does. */
    OLD_EPOCH,
    /** A new epoch, while blocks of the present one still come. */
    EARLY_EPOCH,
    /** Its counts contradict those of other blocks. */
    COUNTS,
    /** There are as many senders as are allowed. */
    TOO_MANY_SENDERS
}
