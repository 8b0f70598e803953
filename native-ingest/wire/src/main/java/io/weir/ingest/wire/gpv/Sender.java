package io.weir.ingest.wire.gpv;

/**
 * A sender: one instance of a source at an address. It decides which blocks are taken, and how many
 * packets a gap has lost. One thread; no allocation.
 *
 * <p>Blocks may come in another order. A block that comes up to 64 blocks after its turn is taken,
 * once. A gap is lost when 64 later blocks have come, or after {@link #REORDER_NS}.
 *
 * <p>A sender that starts again has another epoch. It is believed when nothing of the old epoch has
 * come for {@link #EPOCH_NS}: so a forged epoch does not end a sender that is there. Earlier epochs
 * never come back.
 */
final class Sender {
    static final long REORDER_NS = 100_000_000L;
    static final long EPOCH_NS = 200_000_000L;

    private static final int REORDERED = 64;
    private static final int MOST_PACKETS = 0xFFFF;
    private static final int OLD_EPOCHS = 8;
    private static final long JUMP_NS = 3_600_000_000_000L;
    private static final long AHEAD_NS = 10_000_000_000L;
    private static final long NEVER = Long.MIN_VALUE;

    long high;
    long low;
    long stream;

    private final int[] oldEpochs = new int[OLD_EPOCHS];
    private int oldEpochCount;
    private int epoch;
    private int nextSequence;
    private long nextTotal;

    /** The last 64 blocks: the lowest bit is the newest, 1 is taken. */
    private long taken;

    private long missing;
    private int gapSequence;
    private long gapSeenNs;
    private long gapNs;

    private long seenNs;
    private long newestNs;
    private long watermarkNs;
    private long jumpNs;
    private boolean live;

    /** Begins with the sender's first block; what came before it is not missed. */
    void begin(ReceivedBlock block, long nowNs) {
        high = block.senderHigh();
        low = block.senderLow();
        stream = block.stream();
        oldEpochCount = 0;
        missing = 0;
        newestNs = NEVER;
        watermarkNs = NEVER;
        jumpNs = NEVER;
        live = false;
        beginEpoch(block.epoch(), block.sequence(), block.total(), nowNs);
    }

    private void beginEpoch(int newEpoch, int sequence, long total, long nowNs) {
        epoch = newEpoch;
        nextSequence = sequence;
        nextTotal = total;
        taken = -1L;
        seenNs = nowNs;
    }

    boolean is(ReceivedBlock block) {
        return stream == block.stream() && low == block.senderLow() && high == block.senderHigh();
    }

    /** Judges a sound block by its epoch and its counts. */
    Verdict take(ReceivedBlock block, long nowNs) {
        if (block.epoch() != epoch) {
            Verdict verdict = changeEpoch(block, nowNs);
            if (verdict != Verdict.TAKEN) {
                return verdict;
            }
        }
        int ahead = block.sequence() - nextSequence;
        Verdict verdict = ahead >= 0 ? forward(block, ahead, nowNs) : backward(block, -ahead);
        if (verdict == Verdict.TAKEN) {
            seenNs = nowNs;
        }
        return verdict;
    }

    private Verdict changeEpoch(ReceivedBlock block, long nowNs) {
        for (int i = 0; i < Math.min(oldEpochCount, OLD_EPOCHS); i++) {
            if (oldEpochs[i] == block.epoch()) {
                return Verdict.OLD_EPOCH;
            }
        }
        if (nowNs - seenNs < EPOCH_NS) {
            return Verdict.EARLY_EPOCH;
        }
        // A new epoch begins with block 0: the blocks before this one are missing.
        if (!counts(block.total(), block.sequence())) {
            return Verdict.COUNTS;
        }
        oldEpochs[oldEpochCount++ % OLD_EPOCHS] = epoch;
        oldEpochCount = oldEpochCount == 2 * OLD_EPOCHS ? OLD_EPOCHS : oldEpochCount;
        beginEpoch(block.epoch(), 0, 0, nowNs);
        return Verdict.TAKEN;
    }

    private Verdict forward(ReceivedBlock block, int ahead, long nowNs) {
        long lost = block.total() - nextTotal;
        if (!counts(lost, ahead)) {
            return Verdict.COUNTS;
        }
        if (lost > 0 && missing == 0) {
            gapSequence = block.sequence();
            gapSeenNs = nowNs;
            gapNs = newestNs == NEVER ? timeOf(block) : newestNs;
        }
        missing += lost;
        taken = (ahead >= REORDERED - 1 ? 0 : taken << ahead + 1) | 1;
        nextSequence = block.sequence() + 1;
        nextTotal = block.total() + block.packets();
        return Verdict.TAKEN;
    }

    /** Returns a time that its sender has come to. A block without GPVs has only a watermark. */
    private static long timeOf(ReceivedBlock block) {
        return block.packets() == 0 ? block.watermarkNs() : block.newestNs();
    }

    /** Returns whether so many blocks can have so many packets; a block of a host may have none. */
    private static boolean counts(long packets, int blocks) {
        return packets >= 0 && packets <= (blocks & 0xFFFF_FFFFL) * MOST_PACKETS;
    }

    private Verdict backward(ReceivedBlock block, int behind) {
        if (behind < 0 || behind > REORDERED) {
            return Verdict.STALE;
        }
        long bit = 1L << behind - 1;
        if ((taken & bit) != 0) {
            return Verdict.DUPLICATE;
        }
        if (block.packets() > missing || block.total() + block.packets() > nextTotal) {
            return Verdict.COUNTS;
        }
        missing -= block.packets();
        taken |= bit;
        return Verdict.TAKEN;
    }

    /** Returns the packets of gaps that nobody will close any more. They are told once. */
    long settle(long nowNs) {
        return missing == 0 || !isSettled(nowNs) ? 0 : settleAll();
    }

    /** Settles all gaps, as at the end. */
    long settleAll() {
        long lost = missing;
        missing = 0;
        taken = -1L;
        return lost;
    }

    private boolean isSettled(long nowNs) {
        return nowNs - gapSeenNs >= REORDER_NS || nextSequence - gapSequence > REORDERED;
    }

    /** Returns the time of the lost packets: the newest time before the gap. */
    long gapNs() {
        return gapNs;
    }

    /**
     * Moves the sender's time on with a block. One without GPVs moves its watermark only.
     *
     * @return false: its packets are from the future, and move nothing
     */
    boolean moveTo(ReceivedBlock block, long wallNs, long latenessNs) {
        if (block.packets() > 0 && !moveTo(block.newestNs(), wallNs)) {
            return false;
        }
        long byTime = newestNs == NEVER ? NEVER : newestNs - latenessNs;
        long told = Math.min(block.watermarkNs(), Math.max(newestNs, wallNs));
        watermarkNs = Math.max(watermarkNs, told == 0 ? byTime : told);
        return true;
    }

    private boolean moveTo(long tsNs, long wallNs) {
        boolean jump = newestNs != NEVER && tsNs > newestNs + JUMP_NS && tsNs > jumpNs + JUMP_NS;
        if (tsNs > wallNs + AHEAD_NS || jump) {
            jumpNs = tsNs;
            return false;
        }
        live = Math.abs(tsNs - wallNs) <= AHEAD_NS;
        newestNs = Math.max(newestNs, tsNs);
        return true;
    }

    long watermarkNs() {
        return watermarkNs;
    }

    long newestNs() {
        return newestNs;
    }

    /** Returns whether its packets came at the wall clock's time. */
    boolean isLive() {
        return live;
    }

    /** Returns how long nothing has come of it. */
    long silentNs(long nowNs) {
        return nowNs - seenNs;
    }
}
