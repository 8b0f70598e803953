package io.weir.operators.sketch;

import io.weir.operators.graph.Inet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.apache.datasketches.frequencies.LongsSketch;
import org.apache.datasketches.memory.Memory;

/**
 * The most frequent values: Misra and Gries' counters, as the library keeps them. One-word values
 * and IPv4 addresses in one map, IPv6 addresses in another.
 */
public final class TopSketch extends Sketch {
    /** The number of counters in each map. */
    private static final int LG_COUNTERS = 10;

    static final int COUNTERS = 1 << LG_COUNTERS;

    /** The bytes of the library's objects besides their arrays. */
    private static final int OBJECTS_BYTES = 160;

    /** The bytes of a map's place: the value or its address, its count, and two bytes of state. */
    private static final int PLACE_BYTES = 18;

    private static final int ADDRESS_BYTES = 40;

    private record Ranked(long family, long high, long low, long count) {}

    /** The places of the map's sizes in the library's preamble, and of the number of counters. */
    private static final int LG_MOST_BYTE = 3;

    private static final int LG_NOW_BYTE = 4;
    private static final int ACTIVE_BYTE = 8;
    private static final int PREAMBLE_BYTES = 32;

    private final LongsSketch words;
    private ItemsSketch<Inet> v6;
    private List<Ranked> ranking;

    TopSketch() {
        this(new LongsSketch(COUNTERS), null);
    }

    private TopSketch(LongsSketch words, ItemsSketch<Inet> v6) {
        this.words = words;
        this.v6 = v6;
    }

    /** Returns the error of a count in either direction, as a fraction of all values. */
    public static double error() {
        return LongsSketch.getEpsilon(COUNTERS);
    }

    void add(long word) {
        ranking = null;
        words.update(word);
    }

    void add(long family, long high, long low) {
        if (family == 4) {
            add(low);
            return;
        }
        ranking = null;
        if (v6 == null) {
            v6 = new ItemsSketch<>(COUNTERS);
        }
        v6.update(new Inet((int) family, high, low));
    }

    /** Returns the values by count, the most frequent first; equal counts by value. */
    private Ranked ranked(long rank) {
        if (ranking == null) {
            ranking = new ArrayList<>();
            for (LongsSketch.Row row : words.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
                ranking.add(new Ranked(4, 0, row.getItem(), row.getEstimate()));
            }
            if (v6 != null) {
                for (ItemsSketch.Row<Inet> row :
                        v6.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
                    Inet item = row.getItem();
                    ranking.add(new Ranked(6, item.high(), item.low(), row.getEstimate()));
                }
            }
            ranking.sort(
                    Comparator.comparingLong(Ranked::count)
                            .reversed()
                            .thenComparingLong(Ranked::family)
                            .thenComparing(Ranked::high, Long::compareUnsigned)
                            .thenComparing(Ranked::low, Long::compareUnsigned));
        }
        return rank > 0 && rank <= ranking.size() ? ranking.get((int) rank - 1) : null;
    }

    boolean has(long rank) {
        return ranked(rank) != null;
    }

    long count(long rank) {
        return ranked(rank).count();
    }

    long family(long rank) {
        return ranked(rank).family();
    }

    long high(long rank) {
        return ranked(rank).high();
    }

    long low(long rank) {
        return ranked(rank).low();
    }

    @Override
    int heldBytes() {
        int counters = words.getCurrentMapCapacity();
        int bytes = OBJECTS_BYTES + places(counters) * PLACE_BYTES;
        if (v6 != null) {
            counters = v6.getCurrentMapCapacity();
            bytes += OBJECTS_BYTES + places(counters) * PLACE_BYTES + counters * ADDRESS_BYTES;
        }
        return bytes;
    }

    /** The library's maps are three quarters full at most. */
    private static int places(int counters) {
        return counters / 3 * 4;
    }

    @Override
    Sketch another() {
        return new TopSketch();
    }

    @Override
    void merge(Sketch other) {
        TopSketch from = (TopSketch) other;
        ranking = null;
        words.merge(from.words);
        if (from.v6 != null) {
            if (v6 == null) {
                v6 = new ItemsSketch<>(COUNTERS);
            }
            v6.merge(from.v6);
        }
    }

    /** Passes on each one-word value that it counts. */
    void words(LongConsumer each) {
        byte[] bytes = words.toByteArray();
        int active = active(bytes, Long.BYTES);
        ByteBuffer items = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < active; i++) {
            each.accept(items.getLong(PREAMBLE_BYTES + (active + i) * Long.BYTES));
        }
    }

    /**
     * Returns the length of the first map's bytes, then these bytes, then those of a second map if
     * there is one.
     */
    @Override
    byte[] bytes() {
        byte[] first = words.toByteArray();
        byte[] second = v6 == null ? new byte[0] : v6.toByteArray(new InetBytes());
        ByteBuffer bytes =
                ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        return bytes.putInt(first.length).put(first).put(second).array();
    }

    /** Reads its own {@link #bytes}. Another number of counters is refused. */
    static TopSketch read(byte[] bytes, LongUnaryOperator translated) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int length = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
        if (length < 0 || length > buffer.remaining()) {
            throw ReceivedSketch.malformed(null);
        }
        byte[] first = new byte[length];
        buffer.get(first);
        int active = active(first, Long.BYTES);
        ByteBuffer items = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < active; i++) {
            int at = PREAMBLE_BYTES + (active + i) * Long.BYTES;
            items.putLong(at, translated.applyAsLong(items.getLong(at)));
        }
        LongsSketch words = LongsSketch.getInstance(Memory.wrap(first));
        if (!buffer.hasRemaining()) {
            return new TopSketch(words, null);
        }
        byte[] second = new byte[buffer.remaining()];
        buffer.get(second);
        active(second, 2 * Long.BYTES);
        return new TopSketch(words, ItemsSketch.getInstance(Memory.wrap(second), new InetBytes()));
    }

    /** Returns the number of counters, which the number of bytes limits. */
    private static int active(byte[] bytes, int itemBytes) {
        boolean fits =
                ReceivedSketch.at(bytes, LG_NOW_BYTE) <= ReceivedSketch.at(bytes, LG_MOST_BYTE)
                        && ReceivedSketch.at(bytes, LG_MOST_BYTE) == LG_COUNTERS;
        if (fits && bytes.length == Long.BYTES) {
            return 0;
        }
        if (!fits || bytes.length < PREAMBLE_BYTES) {
            throw ReceivedSketch.malformed(null);
        }
        int active = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(ACTIVE_BYTE);
        long expected = PREAMBLE_BYTES + (long) active * (Long.BYTES + itemBytes);
        if (active < 0 || active > COUNTERS || bytes.length != expected) {
            throw ReceivedSketch.malformed(null);
        }
        return active;
    }
}
