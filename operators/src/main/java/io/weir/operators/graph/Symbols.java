package io.weir.operators.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The strings of this process, numbered: what VARCHAR values are inside kernels. Fed by literals of
 * queries and by node ids only, never by packets, so that its size is bounded by what users wrote.
 * Thread-safe; looked up off the packet path.
 */
public final class Symbols {
    private static final int LIMIT = 1 << 20;
    private static final Map<String, Integer> IDS = new HashMap<>();
    private static final List<String> TEXTS = new ArrayList<>();

    private Symbols() {}

    /** The id of a text, from 0 up; the same text has the same id until the process ends. */
    public static synchronized int id(String text) {
        Integer known = IDS.get(text);
        if (known != null) {
            return known;
        }
        if (TEXTS.size() == LIMIT) {
            throw new IllegalStateException("more than " + LIMIT + " distinct strings");
        }
        TEXTS.add(text);
        IDS.put(text, TEXTS.size() - 1);
        return TEXTS.size() - 1;
    }

    public static synchronized String text(long id) {
        return TEXTS.get(Math.toIntExact(id));
    }
}
