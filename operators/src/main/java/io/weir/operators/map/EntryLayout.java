package io.weir.operators.map;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What an entry of a {@link FlatMap} is made of: a key, then value words.
 *
 * <p>Small entries are speed, since the cost of a map is the lines of memory that it touches. So
 * there are two forms. The <em>compact</em> one is for maps that kernels fill: a key of at most 32
 * bits has four bytes, and so has a word that only counts; when such a count comes to 2^31 the map
 * carries ({@link FlatMap#carry}). The <em>settled</em> one, with whole words, is for all that
 * comes after ({@link FlatMap#settledCopy}). A third is for maps that kernels fill and whose keys
 * are small numbers: it has whole words and no key ({@link FlatMapDirect}).
 *
 * @param keyBytes 4, or a multiple of 8; 0 where the slot is the key
 * @param initialValue the value words of a new entry; empty for a set
 * @param narrow for each value word whether it has four bytes; those lie first
 * @param entryWord of slots that are keys, the value word that is not 0 where there is an entry, or
 *     the number of value words for one behind them; else -1
 * @param lanes how often slots that are keys have value words, to be added up
 */
public record EntryLayout(
        int keyBytes, List<Long> initialValue, List<Boolean> narrow, int entryWord, int lanes) {
    private static final int NOT_DIRECT = -1;

    public EntryLayout {
        initialValue = List.copyOf(initialValue);
        narrow = List.copyOf(narrow);
        if (narrow.size() != initialValue.size() || bytes(keyBytes, narrow) % 8 != 0) {
            throw new IllegalArgumentException(keyBytes + " bytes of key, then " + narrow);
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
        List<Boolean> whole = Collections.nCopies(initialValue.size(), false);
        return new EntryLayout(keyWords * Long.BYTES, initialValue, whole, entryWord, lanes);
    }

    /**
     * The smallest form whose entries are whole words.
     *
     * @param keyBits of the key's one word, or more for more words
     * @param counts which value words only ever count up, by less than 2^31 a batch, from 0
     */
    public static EntryLayout compact(
            int keyWords, int keyBits, List<Long> initialValue, List<Boolean> counts) {
        boolean narrowKey = keyWords == 1 && keyBits <= Integer.SIZE && counts.contains(true);
        int keyBytes = narrowKey ? Integer.BYTES : keyWords * Long.BYTES;
        List<Boolean> narrow = new ArrayList<>(counts);
        if (bytes(keyBytes, narrow) % Long.BYTES != 0) {
            narrow.set(narrow.lastIndexOf(true), false);
        }
        return new EntryLayout(keyBytes, initialValue, narrow, NOT_DIRECT, 1);
    }

    private static int bytes(int keyBytes, List<Boolean> narrow) {
        int bytes = keyBytes;
        for (boolean four : narrow) {
            bytes += four ? Integer.BYTES : Long.BYTES;
        }
        return bytes;
    }

    public int strideBytes() {
        return lanes * laneBytes();
    }

    /** Bytes from a lane to the next, a power of two where there is one. */
    public int laneBytes() {
        int bytes = bytes(keyBytes, narrow) + (hasWordBehind() ? Long.BYTES : 0);
        return lanes == 1 ? bytes : Integer.highestOneBit(2 * bytes - 1);
    }

    public int keyWords() {
        return Math.max(1, keyBytes / Long.BYTES);
    }

    public int valueWords() {
        return initialValue.size();
    }

    public boolean isNarrow(int word) {
        return narrow.get(word);
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
        return keyBytes != Integer.BYTES && !narrow.contains(true) && !isDirect();
    }

    /** The same with other value words in new entries. */
    public EntryLayout startingWith(List<Long> otherInitialValue) {
        return new EntryLayout(keyBytes, otherInitialValue, narrow, entryWord, lanes);
    }

    /** The settled form of these entries. */
    public EntryLayout toSettled() {
        return settled(keyWords(), initialValue);
    }

    /** Bytes from an entry's value to one of its words. */
    public int offset(int word) {
        int narrowBefore = 0;
        int narrowWords = 0;
        for (int w = 0; w < narrow.size(); w++) {
            narrowBefore += w < word && narrow.get(w) ? 1 : 0;
            narrowWords += narrow.get(w) ? 1 : 0;
        }
        return narrow.get(word)
                ? narrowBefore * Integer.BYTES
                : narrowWords * Integer.BYTES + (word - narrowBefore) * Long.BYTES;
    }
}
