package io.weir.operators.result;

/**
 * Packets that are not in a window's rows.
 *
 * @param lost counted by who lost them, or by the gap that they left in what their source sends;
 *     each is told once, in the window in which that is known
 * @param missing an estimate: of sources whose part of this window has not come. It may be told as
 *     lost by a later window, when they are back
 * @param again of those that are lost, how many an earlier window has estimated
 */
public record Losses(long lost, long missing, long again) {
    public static final Losses NONE = of(0);

    public static Losses of(long lost) {
        return new Losses(lost, 0, 0);
    }

    public static Losses missing(long packets) {
        return new Losses(0, packets, 0);
    }

    public Losses plus(Losses other) {
        return new Losses(lost + other.lost, missing + other.missing, again + other.again);
    }

    /** How many packets the window lacks, as far as no other has said so before. */
    public long lacking() {
        return lost - again + missing;
    }

    /**
     * Of the same packets, as two tell of them: the most of each. What one has lost and another
     * lacks by an estimate, here or before, is lacking once.
     */
    public Losses or(Losses other) {
        long most = Math.max(lost, other.lost);
        long guess = Math.max(missing, other.missing);
        return new Losses(most, guess, most + guess - Math.max(lacking(), other.lacking()));
    }
}
