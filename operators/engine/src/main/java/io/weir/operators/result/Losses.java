package io.weir.operators.result;

/**
 * Counts packets that are missing from a window's rows.
 *
 * @param lost reported by the loser, or found as a gap in a source's numbers; each is reported
 *     once, in the window in which it is known
 * @param missing an estimate for sources whose part of this window has not come. A later window may
 *     report them as lost, when the sources are back
 * @param again the part of {@code lost} that an earlier window has estimated
 * @param own the part of {@code lost} that is missing only from the reporter's groups: another
 *     shard has its part of those packets, or has lost it separately
 * @param late packets that LATENESS left out; in none of the others, and in no sum of packets
 * @param partial whether some source saw only a part of the window's time
 */
public record Losses(long lost, long missing, long again, long own, long late, boolean partial) {
    public static final Losses NONE = of(0);

    /** The losses of a window that was seen in part. */
    public static final Losses PART = new Losses(0, 0, 0, 0, 0, true);

    /** Makes the losses of a window that was seen whole. */
    public Losses(long lost, long missing, long again, long own) {
        this(lost, missing, again, own, 0, false);
    }

    public static Losses of(long lost) {
        return new Losses(lost, 0, 0, 0, 0, false);
    }

    /** Counts packets that a shard lost, from a window that other shards have their part of. */
    public static Losses own(long lost) {
        return new Losses(lost, 0, 0, lost, 0, false);
    }

    public static Losses missing(long packets) {
        return new Losses(0, packets, 0, 0, 0, false);
    }

    /** Counts packets that LATENESS left out. */
    public static Losses late(long packets) {
        return new Losses(0, 0, 0, 0, packets, false);
    }

    public Losses plus(Losses other) {
        return new Losses(
                lost + other.lost,
                missing + other.missing,
                again + other.again,
                own + other.own,
                late + other.late,
                partial || other.partial);
    }

    /** Returns these losses with at most so many lost packets. */
    public Losses atMost(long packets) {
        long left = Math.min(lost, packets);
        return new Losses(left, missing, Math.min(again, left), Math.min(own, left), late, partial);
    }

    /**
     * Returns the packets that are lost or missing and that no other window has reported before.
     */
    public long lacking() {
        return lost - again + missing;
    }

    /**
     * Combines two shards' reports on the same packets. It takes the maximum of each count, and
     * adds the shards' own losses, which may be different packets. A packet that one shard lost and
     * another lacks by an estimate, now or before, counts once.
     */
    public Losses or(Losses other) {
        long most = Math.max(lost - own, other.lost - other.own);
        long guess = Math.max(missing, other.missing);
        long lacking = Math.max(lacking() - own, other.lacking() - other.own);
        long owns = own + other.own;
        boolean either = partial || other.partial;
        long mostLate = Math.max(late, other.late);
        return new Losses(most + owns, guess, most + guess - lacking, owns, mostLate, either);
    }

    /** Limits the losses to a window of so many packets: more cannot be lacking. */
    public Losses within(long packets) {
        long over = Math.min(own, Math.max(0, lacking() - packets));
        return new Losses(lost - over, missing, again, own - over, late, partial);
    }
}
