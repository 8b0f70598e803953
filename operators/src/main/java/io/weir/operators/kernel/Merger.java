package io.weir.operators.kernel;

/** What generated merges extend: the states of one group, put together. Any thread. */
public abstract class Merger {
    /**
     * Merges all folds but COUNT(DISTINCT), which counts again as the sets are united.
     *
     * @param into address of the value words that change
     * @param from address of the others
     */
    public abstract void merge(long into, long from);
}
