package io.weir.operators.map;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What an entry of a {@link FlatMap} is made of: a key, then value words.
 *
 * <p>Small entries are speed, since the cost of a map is the lines of memory that it touches. So
 * there are two forms. The <em>compact</em> one is for maps that kernels fill: a key of at most 32
 * bits has four bytes, and so have words that are no larger ({@link Width}). The <em>settled</em>
 * one, with whole words, is for all that comes after ({@link FlatMap#settledCopy}). A third is for
 * maps that kernels fill and whose keys are small numbers: it has whole words and no key ({@link
 * FlatMapDirect}).
 *
 * @param keyBytes 4, or a multiple of 8; 0 where the slot is the key
 * @param initialValue the value words of a new entry; empty for a set
 * @param widths of the value words; those of four bytes lie first
 * @param entryWord of slots that are keys, the value word that is not 0 where there is an entry, or
 *     the number of value words for one behind them; else -1
 * @param lanes how often slots that are keys have value words, to be added up
 */
public record EntryLayout(
        int keyBytes, List<Long> initialValue, List<Width> widths, int entryWord, int lanes) {
    /** How much room a value word has. */
    public enum Width {
        WHOLE,
        /**
         * Four bytes, of what begins at 0 and only counts up, by less than 2^31 a batch: when it
         * comes to 2^31 the map carries ({@link FlatMap#carry}).
         */
        COUNT,
        /** Four bytes, of what is never negative and less than 2^32. */
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

    /** The settled form. */
    public static EntryLayout settled(int keyWords, List<Long> initialValue) {
        return whole(keyWords, initialValue, NOT_DIRECT, 1);
    }

    /**
     * For keys that are small numbers.
     *
     * @param entryWord as the component
     * @param lanes more than one only where values begin at 0
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
     * The smallest form whose entries are whole words.
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

    /** Bytes from a lane to the next, a power of two where there is one. */
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

    /** Whether a word has four bytes. */
    public boolean isNarrow(int word) {
        return widths.get(word) != Width.WHOLE;
    }

    /** Whether a word is carried from. */
    public boolean isCount(int word) {
        return widths.get(word) == Width.COUNT;
    }

    /** Whether all value words of a new entry are 0. */
    public boolean startsAtZero() {
        for (long word : initialValue) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether slots are keys. */
    public boolean isDirect() {
        return entryWord != NOT_DIRECT;
    }

    /** Whether what tells an entry lies behind its value words. */
    public boolean hasWordBehind() {
        return entryWord == initialValue.size();
    }

    boolean isSettled() {
        return keyBytes != Integer.BYTES && lastNarrow(widths) < 0 && !isDirect();
    }

    /** The same with other value words in new entries. */
    public EntryLayout startingWith(List<Long> otherInitialValue) {
        return new EntryLayout(keyBytes, otherInitialValue, widths, entryWord, lanes);
    }

    /** The settled form of these entries. */
    public EntryLayout toSettled() {
        return settled(keyWords(), initialValue);
    }

    /** Bytes from an entry's value to one of its words. */
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
