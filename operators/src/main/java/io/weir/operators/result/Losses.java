package io.weir.operators.result;

/**
 * Packets that are not in a window's rows.
 *
 * @param lost counted by who lost them, or by the gap that they left in what their source sends;
 *     each is told once, in the window in which that is known
 * @param missing an estimate: of sources whose part of this window has not come. It may be told as
 *     lost by a later window, when they are back
 * @param again of those that are lost, how many an earlier window has estimated
 * @param own of those that are lost, how many are only out of the groups of who tells it: another
 *     shard has its part of them, or has lost that by itself
 * @param late packets that LATENESS left out; in none of the others, and in no sum of packets
 * @param partial whether somebody saw only a part of the window's time
 */
public record Losses(long lost, long missing, long again, long own, long late, boolean partial) {
    public static final Losses NONE = of(0);

    /** Of a window that was seen in part. */
    public static final Losses PART = new Losses(0, 0, 0, 0, 0, true);

    /** Of a window that was seen whole. */
    public Losses(long lost, long missing, long again, long own) {
        this(lost, missing, again, own, 0, false);
    }

    public static Losses of(long lost) {
        return new Losses(lost, 0, 0, 0, 0, false);
    }

    /** Lost by a shard, out of a window that others have their part of. */
    public static Losses own(long lost) {
        return new Losses(lost, 0, 0, lost, 0, false);
    }

    public static Losses missing(long packets) {
        return new Losses(0, packets, 0, 0, 0, false);
    }

    /** Packets that LATENESS left out. */
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

    /** The same, of which as many are lost, or fewer. */
    public Losses atMost(long packets) {
        long left = Math.min(lost, packets);
        return new Losses(left, missing, Math.min(again, left), Math.min(own, left), late, partial);
    }

    /** How many packets are lost or missing, as far as no other window has said so before. */
    public long lacking() {
        return lost - again + missing;
    }

    /**
     * Of the same packets, as two shards tell of them: the most of each, and what is each one's
     * own, which may be of different packets. What one has lost and another lacks by an estimate,
     * here or before, is lacking once.
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

    /** The same, of a window of so many packets: more of them than that nobody lacks. */
    public Losses within(long packets) {
        long over = Math.min(own, Math.max(0, lacking() - packets));
        return new Losses(lost - over, missing, again, own - over, late, partial);
    }
}
