package io.weir.operators.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbered strings of this process, which are the VARCHAR values inside kernels. They come only
 * from literals of queries and from node ids, never from packets. So the size is bounded by the
 * users' texts. Thread-safe; looked up off the packet path.
 */
public final class Symbols {
    private static final int LIMIT = 1 << 20;
    private static final Map<String, Integer> IDS = new HashMap<>();
    private static final List<String> TEXTS = new ArrayList<>();

    /** The hashes by id. The array is replaced as it grows, so that it is read without a lock. */
    private static volatile long[] hashes = new long[64];

    private Symbols() {}

    /** Returns the id of a text, from 0 up. A text keeps its id until the process ends. */
    public static synchronized int id(String text) {
        Integer known = IDS.get(text);
        if (known != null) {
            return known;
        }
        if (TEXTS.size() == LIMIT) {
            throw new IllegalStateException("more than " + LIMIT + " distinct strings");
        }
        int id = TEXTS.size();
        long[] grown = id < hashes.length ? hashes : Arrays.copyOf(hashes, id * 2);
        grown[id] = hashOf(text);
        hashes = grown;
        TEXTS.add(text);
        IDS.put(text, TEXTS.size() - 1);
        return TEXTS.size() - 1;
    }

    public static synchronized String text(long id) {
        return TEXTS.get(Math.toIntExact(id));
    }

    /**
     * Returns a hash of the text. Unlike the id it is the same in every process. Any thread, no
     * lock.
     */
    public static long hash(long id) {
        return hashes[(int) id];
    }

    /** FNV-1a of the UTF-16 code units. */
    private static long hashOf(String text) {
        long hash = 0xCBF2_9CE4_8422_2325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100_0000_01B3L;
        }
        return hash ^ hash >>> 32;
    }
}
