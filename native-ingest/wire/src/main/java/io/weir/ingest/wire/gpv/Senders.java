package io.weir.ingest.wire.gpv;

import io.weir.operators.map.Hash;
import java.util.Arrays;

/**
 * The senders of one receive queue, at most a set number. If all places are taken, a new sender is
 * refused, unless one has been silent for a minute: its place is free then. One thread; no
 * allocation after the start.
 */
final class Senders {
    static final long FORGET_NS = 60_000_000_000L;
    static final long IDLE_NS = 1_000_000_000L;

    private final Sender[] all;
    private final Sender[] table;
    private final int mask;
    private int count;
    private long forgotNs;

    Senders(int most) {
        all = new Sender[most];
        for (int i = 0; i < most; i++) {
            all[i] = new Sender();
        }
        table = new Sender[Integer.highestOneBit(most) * 4];
        mask = table.length - 1;
    }

    int count() {
        return count;
    }

    Sender sender(int index) {
        return all[index];
    }

    /** Returns the sender of a sound block, a new one if need be; null if there is no place. */
    Sender of(ReceivedBlock block, long nowNs) {
        int at = home(block.stream(), block.senderHigh(), block.senderLow());
        while (table[at] != null) {
            if (table[at].is(block)) {
                return table[at];
            }
            at = at + 1 & mask;
        }
        return add(block, nowNs);
    }

    private int home(long stream, long high, long low) {
        return (int) Hash.mix(stream, high * 31 + low) & mask;
    }

    private Sender add(ReceivedBlock block, long nowNs) {
        if (count == all.length && !forget(nowNs)) {
            return null;
        }
        Sender added = all[count++];
        added.begin(block, nowNs);
        put(added);
        return added;
    }

    private void put(Sender sender) {
        int at = home(sender.stream, sender.high, sender.low);
        while (table[at] != null) {
            at = at + 1 & mask;
        }
        table[at] = sender;
    }

    /**
     * Forgets the senders that have been silent for long. Their gaps are settled by then. It looks
     * once a second at most, so that a flood of new senders costs little.
     */
    private boolean forget(long nowNs) {
        if (forgotNs != 0 && nowNs - forgotNs < IDLE_NS) {
            return false;
        }
        forgotNs = nowNs;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            Sender sender = all[i];
            if (sender.silentNs(nowNs) < FORGET_NS) {
                all[i] = all[kept];
                all[kept++] = sender;
            }
        }
        boolean forgot = kept < count;
        count = kept;
        Arrays.fill(table, null);
        for (int i = 0; i < count; i++) {
            put(all[i]);
        }
        return forgot;
    }

    /**
     * Returns the watermark of all senders: the least of those that are not silent. If all are, it
     * follows the wall clock, if their packets did.
     *
     * @return MIN_VALUE: there is none
     */
    long watermarkNs(long nowNs, long wallNs, long latenessNs) {
        long least = Long.MAX_VALUE;
        boolean live = false;
        for (int i = 0; i < count; i++) {
            Sender sender = all[i];
            live |= sender.isLive();
            if (sender.silentNs(nowNs) < IDLE_NS) {
                least = Math.min(least, sender.watermarkNs());
            }
        }
        if (least != Long.MAX_VALUE) {
            return least;
        }
        return live ? wallNs - latenessNs : Long.MIN_VALUE;
    }
}
