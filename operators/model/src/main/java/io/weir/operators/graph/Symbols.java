package io.weir.operators.graph;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbered strings of this process, which are the VARCHAR values in keys and rows. They come
 * from literals of queries, from node ids, from names, and from texts that queries compute. A
 * number is free again when no query and no batch of rows has its string. Thread-safe.
 */
public final class Symbols {
    /** The most strings at one time, of all queries. */
    private static final int MOST = 1 << 20;

    private static final int COLLECTIONS = 3;
    private static final long COLLECTION_MS = 100;

    private static final Map<String, Known> KNOWN = new HashMap<>();
    private static final Map<String, Symbol> LASTING = new HashMap<>();
    private static final ReferenceQueue<Symbol> GONE = new ReferenceQueue<>();
    private static final ArrayDeque<Integer> FREE = new ArrayDeque<>();
    private static int used;

    /**
     * The strings by id. It is set again with each new string, so that it is read without a lock.
     */
    private static volatile String[] texts = new String[64];

    /** The hashes by id. It is set again with each new hash, so that it is read without a lock. */
    private static volatile long[] hashes = new long[64];

    private Symbols() {}

    private static final class Known extends WeakReference<Symbol> {
        private final int id;
        private final String text;

        Known(Symbol symbol) {
            super(symbol, GONE);
            id = symbol.id();
            text = symbol.text();
        }
    }

    /** Returns the id of a text that keeps it until the process ends, as the name of a node. */
    public static synchronized int id(String text) {
        return LASTING.computeIfAbsent(text, Symbols::of).id();
    }

    /**
     * Returns the numbered text. The number is the same as long as somebody has the symbol.
     *
     * @throws WeirException TOO_MANY_STRINGS
     */
    public static synchronized Symbol of(String text) {
        free();
        Known known = KNOWN.get(text);
        Symbol symbol = known == null ? null : known.get();
        if (symbol != null) {
            return symbol;
        }
        Symbol fresh = new Symbol(freeId(), text);
        int id = fresh.id();
        String[] strings = id < texts.length ? texts : Arrays.copyOf(texts, id * 2);
        strings[id] = text;
        texts = strings;
        long[] grown = id < hashes.length ? hashes : Arrays.copyOf(hashes, id * 2);
        grown[id] = hashOf(text);
        hashes = grown;
        KNOWN.put(text, new Known(fresh));
        return fresh;
    }

    private static int freeId() {
        for (int n = 0; FREE.isEmpty() && used == MOST && n < COLLECTIONS; n++) {
            collect();
        }
        if (!FREE.isEmpty()) {
            return FREE.remove();
        } else if (used == MOST) {
            throw new WeirException(
                    ErrorCode.TOO_MANY_STRINGS,
                    "the queries here have more than " + MOST + " different texts at a time",
                    "drop queries with many texts, or let them have fewer rows");
        }
        return used++;
    }

    /** Finds strings of dropped queries, if the JVM has not looked for them yet. */
    private static void collect() {
        System.gc();
        try {
            if (GONE.remove(COLLECTION_MS) instanceof Known gone) {
                free(gone);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        free();
    }

    private static void free() {
        while (GONE.poll() instanceof Known gone) {
            free(gone);
        }
    }

    private static void free(Known gone) {
        KNOWN.remove(gone.text, gone);
        texts[gone.id] = null;
        FREE.add(gone.id);
    }

    /** Returns the number of ids in use, or not yet found to be free. */
    public static synchronized int count() {
        free();
        return used - FREE.size();
    }

    /** Returns how many more numbers there are; more once the JVM has found garbage. */
    static synchronized long room() {
        free();
        return (long) MOST - used + FREE.size();
    }

    /**
     * Returns the string of a number that is in use, without a lock. A number that is no string's
     * has an empty one: a kernel asks for the text of a NULL, too.
     */
    public static String text(long id) {
        String[] strings = texts;
        String text = id < 0 || id >= strings.length ? null : strings[(int) id];
        return text == null ? "" : text;
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
