package io.weir.operators.kernel;

/** The base class of generated merges, which combine two states of one group. Any thread. */
public abstract class Merger {
    /**
     * Merges all folds except COUNT(DISTINCT). That one counts again when its sets are united.
     *
     * @param into address of the value words that change
     * @param from address of the others
     */
    public abstract void merge(long into, long from);
}
