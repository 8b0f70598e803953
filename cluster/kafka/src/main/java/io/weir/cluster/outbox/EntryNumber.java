package io.weir.cluster.outbox;

/**
 * The number of an entry as it is stored before the entry. One bit of it says that the next entry
 * belongs to it.
 */
final class EntryNumber {
    static final long MORE = 1L << 62;

    private EntryNumber() {}

    static long word(long number, boolean more) {
        return more ? number | MORE : number;
    }

    static long of(long word) {
        return word < 0 ? word : word & ~MORE;
    }

    static boolean hasMore(long word) {
        return word >= 0 && (word & MORE) != 0;
    }
}
