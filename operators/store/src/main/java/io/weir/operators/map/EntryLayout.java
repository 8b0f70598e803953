package io.weir.operators.map;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The layout of an entry of a {@link FlatMap}: a key, then value words.
 *
 * <p>Small entries are fast, because the cost of a map is the cache lines that it touches. Maps
 * that kernels fill have the <em>compact</em> form. A key of at most 32 bits has four bytes, and so
 * have small value words ({@link Width}). All later code uses the <em>settled</em> form, with whole
 * words ({@link FlatMap#settledCopy}). A third form is for maps that kernels fill and whose keys
 * are small numbers. It has whole words and no key ({@link FlatMapDirect}).
 *
 * @param keyBytes 4, or a multiple of 8; 0 if the slot is the key
 * @param initialValue the value words of a new entry; empty for a set
 * @param widths of the value words; words of four bytes come first
 * @param entryWord if slots are keys: the value word that is not 0 in an existing entry. The number
 *     of value words means a word behind them. Otherwise -1
 * @param lanes if slots are keys: how often each slot has value words, which are added up
 */
public record EntryLayout(
        int keyBytes, List<Long> initialValue, List<Width> widths, int entryWord, int lanes) {
    /** The room of a value word. */
    public enum Width {
        WHOLE,
        /**
         * Four bytes for a count that begins at 0 and rises by less than 2^31 a batch. When it
         * reaches 2^31 the map carries it over ({@link FlatMap#carry}).
         */
        COUNT,
        /** Four bytes, for a number that is never negative and less than 2^32. */
        NUMBER
    }

    private static final int NOT_DIRECT = -1;

    public EntryLayout {
        initialValue = List.copyOf(initialValue);
        widths = List.copyOf(widths);
        if (widths.size() != initialValue.size() || bytes(keyBytes, widths) % 8 != 0) {
            throw new IllegalArgumentException(keyBytes + " bytes of key, then " + widths);
        }
    }

    /** Makes the settled form. */
    public static EntryLayout settled(int keyWords, List<Long> initialValue) {
        return whole(keyWords, initialValue, NOT_DIRECT, 1);
    }

    /**
     * Makes the layout for keys that are small numbers.
     *
     * @param entryWord as the component
     * @param lanes more than one only if values begin at 0
     */
    public static EntryLayout direct(List<Long> initialValue, int entryWord, int lanes) {
        return whole(0, initialValue, entryWord, lanes);
    }

    private static EntryLayout whole(
            int keyWords, List<Long> initialValue, int entryWord, int lanes) {
        List<Width> whole = Collections.nCopies(initialValue.size(), Width.WHOLE);
        return new EntryLayout(keyWords * Long.BYTES, initialValue, whole, entryWord, lanes);
    }

    /**
     * Makes the smallest form whose entries are whole words.
     *
     * @param keyBits of the key's one word, or more for more words
     * @param widths the least that value words need
     */
    public static EntryLayout compact(
            int keyWords, int keyBits, List<Long> initialValue, List<Width> widths) {
        List<Width> fit = new ArrayList<>(widths);
        int last = lastNarrow(fit);
        boolean narrowKey = keyWords == 1 && keyBits <= Integer.SIZE && last >= 0;
        int keyBytes = narrowKey ? Integer.BYTES : keyWords * Long.BYTES;
        if (bytes(keyBytes, fit) % Long.BYTES != 0) {
            fit.set(last, Width.WHOLE);
        }
        return new EntryLayout(keyBytes, initialValue, fit, NOT_DIRECT, 1);
    }

    private static int lastNarrow(List<Width> widths) {
        return Math.max(widths.lastIndexOf(Width.COUNT), widths.lastIndexOf(Width.NUMBER));
    }

    private static int bytes(int keyBytes, List<Width> widths) {
        int bytes = keyBytes;
        for (Width width : widths) {
            bytes += width == Width.WHOLE ? Long.BYTES : Integer.BYTES;
        }
        return bytes;
    }

    public int strideBytes() {
        return lanes * laneBytes();
    }

    /** Returns the bytes from a lane to the next, a power of two if there are several. */
    public int laneBytes() {
        int bytes = bytes(keyBytes, widths) + (hasWordBehind() ? Long.BYTES : 0);
        return lanes == 1 ? bytes : Integer.highestOneBit(2 * bytes - 1);
    }

    public int keyWords() {
        return Math.max(1, keyBytes / Long.BYTES);
    }

    public int valueWords() {
        return initialValue.size();
    }

    /** Returns whether a word has four bytes. */
    public boolean isNarrow(int word) {
        return widths.get(word) != Width.WHOLE;
    }

    /** Returns whether a word is carried over. */
    public boolean isCount(int word) {
        return widths.get(word) == Width.COUNT;
    }

    /** Returns whether all value words of a new entry are 0. */
    public boolean startsAtZero() {
        for (long word : initialValue) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether slots are keys. */
    public boolean isDirect() {
        return entryWord != NOT_DIRECT;
    }

    /** Returns whether the word that marks an entry lies behind its value words. */
    public boolean hasWordBehind() {
        return entryWord == initialValue.size();
    }

    boolean isSettled() {
        return keyBytes != Integer.BYTES && lastNarrow(widths) < 0 && !isDirect();
    }

    /** Returns the same layout with other value words in new entries. */
    public EntryLayout startingWith(List<Long> otherInitialValue) {
        return new EntryLayout(keyBytes, otherInitialValue, widths, entryWord, lanes);
    }

    /** Returns the settled form of these entries. */
    public EntryLayout toSettled() {
        return settled(keyWords(), initialValue);
    }

    /** Returns the bytes from an entry's value to one of its words. */
    public int offset(int word) {
        int narrowBefore = 0;
        int narrowWords = 0;
        for (int w = 0; w < widths.size(); w++) {
            narrowBefore += w < word && isNarrow(w) ? 1 : 0;
            narrowWords += isNarrow(w) ? 1 : 0;
        }
        return isNarrow(word)
                ? narrowBefore * Integer.BYTES
                : narrowWords * Integer.BYTES + (word - narrowBefore) * Long.BYTES;
    }
}
