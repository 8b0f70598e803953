package io.weir.operators.map;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What an entry of a {@link FlatMap} is made of: a key, then value words.
 *
 * <p>Small entries are speed, since the cost of a map is the lines of memory that it touches. So
 * there are two forms. The <em>compact</em> one is for maps that kernels fill: a key of at most 32
 * bits has four bytes, and so has a word that only counts; when such a count passes 2^32 the map
 * carries ({@link FlatMap#carry}). The <em>settled</em> one, with whole words, is for all that
 * comes after ({@link FlatMap#settledCopy}).
 *
 * @param keyBytes 4, or a multiple of 8
 * @param initialValue the value words of a new entry; empty for a set
 * @param narrow for each value word whether it has four bytes; those lie first
 */
public record EntryLayout(int keyBytes, List<Long> initialValue, List<Boolean> narrow) {
    public EntryLayout {
        initialValue = List.copyOf(initialValue);
        narrow = List.copyOf(narrow);
        if (narrow.size() != initialValue.size() || strideBytes(keyBytes, narrow) % 8 != 0) {
            throw new IllegalArgumentException(keyBytes + " bytes of key, then " + narrow);
        }
    }

    /** The settled form. */
    public static EntryLayout settled(int keyWords, List<Long> initialValue) {
        List<Boolean> whole = Collections.nCopies(initialValue.size(), false);
        return new EntryLayout(keyWords * Long.BYTES, initialValue, whole);
    }

    /**
     * The smallest form whose entries are whole words.
     *
     * @param keyBits of the key's one word, or more for more words
     * @param counts which value words only ever count up, by less than 2^32 at a time, from 0
     */
    public static EntryLayout compact(
            int keyWords, int keyBits, List<Long> initialValue, List<Boolean> counts) {
        boolean narrowKey = keyWords == 1 && keyBits <= Integer.SIZE && counts.contains(true);
        int keyBytes = narrowKey ? Integer.BYTES : keyWords * Long.BYTES;
        List<Boolean> narrow = new ArrayList<>(counts);
        if (strideBytes(keyBytes, narrow) % Long.BYTES != 0) {
            narrow.set(narrow.lastIndexOf(true), false);
        }
        return new EntryLayout(keyBytes, initialValue, narrow);
    }

    private static int strideBytes(int keyBytes, List<Boolean> narrow) {
        int bytes = keyBytes;
        for (boolean four : narrow) {
            bytes += four ? Integer.BYTES : Long.BYTES;
        }
        return bytes;
    }

    public int strideBytes() {
        return strideBytes(keyBytes, narrow);
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

    boolean isSettled() {
        return keyBytes != Integer.BYTES && !narrow.contains(true);
    }

    /** The same with other value words in new entries. */
    public EntryLayout startingWith(List<Long> otherInitialValue) {
        return new EntryLayout(keyBytes, otherInitialValue, narrow);
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
