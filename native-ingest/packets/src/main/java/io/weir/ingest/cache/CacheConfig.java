package io.weir.ingest.cache;

import io.weir.operators.gpv.GpvLayout;
import java.util.List;

/**
 * The sizes of a {@link GpvCache}, and its output.
 *
 * @param slots a power of two; one flow each
 * @param narrowTuples packets that a slot holds by itself, 1 to 64
 * @param wideBuffers how many slots can hold more at a time; 0 is none
 * @param wideTuples packets that a wide buffer adds, 1 to 1024
 * @param timeoutNs a GPV leaves before its first packet is this old; 0 is no grouping at all
 * @param layout {@code full}, {@code flow32} or {@code flow64}
 */
public record CacheConfig(
        int slots,
        int narrowTuples,
        int wideBuffers,
        int wideTuples,
        long timeoutNs,
        String layout) {
    public static final int MOST_SLOTS = 1 << 24;
    public static final int MOST_WIDE_BUFFERS = 1 << 22;
    private static final int MOST_NARROW_TUPLES = 64;
    private static final int MOST_WIDE_TUPLES = 1024;
    private static final long LONGEST_TIMEOUT_NS = 1L << 46;

    /** The layouts; C knows them by their places here. */
    static final List<String> LAYOUTS = List.of("full", "flow32", "flow64");

    /**
     * The sizes of *Flow on the Tofino (USENIX ATC 2018, section 4): narrow buffers of 4 tuples,
     * wide ones of 24, at most 28 together.
     */
    public static final CacheConfig DEFAULT =
            new CacheConfig(16_384, 4, 4_096, 24, 1_000_000_000L, "full");

    public CacheConfig {
        require(Integer.bitCount(slots) == 1, "slots is not a power of two", slots);
        within("slots", slots, 1, MOST_SLOTS);
        within("narrowTuples", narrowTuples, 1, MOST_NARROW_TUPLES);
        within("wideBuffers", wideBuffers, 0, MOST_WIDE_BUFFERS);
        within("wideTuples", wideTuples, 1, MOST_WIDE_TUPLES);
        within("timeoutNs", timeoutNs, 0, LONGEST_TIMEOUT_NS);
        require(LAYOUTS.contains(layout), "layout is none of " + LAYOUTS, layout);
    }

    private static void within(String name, long value, long least, long most) {
        require(
                value >= least && value <= most,
                name + " is not from " + least + " to " + most,
                value);
    }

    private static void require(boolean holds, String what, Object value) {
        if (!holds) {
            throw new IllegalArgumentException("cache: " + what + ": " + value);
        }
    }

    /** Returns the sizes for one of several caches: its share of slots and buffers. */
    public CacheConfig sharedBy(int caches) {
        int share = Integer.highestOneBit(Math.max(1, slots / Math.max(1, caches)));
        int wide = (int) ((long) wideBuffers * share / slots);
        return new CacheConfig(share, narrowTuples, wide, wideTuples, timeoutNs, layout);
    }

    /** Returns this configuration with another time-out. */
    public CacheConfig withTimeout(long otherNs) {
        return new CacheConfig(slots, narrowTuples, wideBuffers, wideTuples, otherNs, layout);
    }

    /** Returns this configuration with another layout. */
    public CacheConfig withLayout(String other) {
        return new CacheConfig(slots, narrowTuples, wideBuffers, wideTuples, timeoutNs, other);
    }

    /** Returns the packets of the largest GPV. */
    public int maxCount() {
        return narrowTuples + (wideBuffers == 0 ? 0 : wideTuples);
    }

    /**
     * Returns the layouts that the cache may write: its own in both families, and {@code full} for
     * the rest.
     */
    public List<GpvLayout> layouts() {
        List<GpvLayout> full = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
        return switch (layout) {
            case "flow32" ->
                    List.of(GpvLayout.FLOW32_V4, GpvLayout.FLOW32_V6, full.get(0), full.get(1));
            case "flow64" ->
                    List.of(GpvLayout.FLOW64_V4, GpvLayout.FLOW64_V6, full.get(0), full.get(1));
            default -> full;
        };
    }
}
