package io.weir.operators.sketch;

import io.weir.operators.map.Hash;

/**
 * The functions of sketch folds. Generated code calls them with a group's handle. The pane's
 * thread; afterwards the holder of the pane.
 */
public final class Sketches {
    private Sketches() {}

    /** Adds a value of one word to a hash. */
    public static long hash(long hash, long word) {
        return Hash.mix(hash, word);
    }

    /** Adds an address to a hash. */
    public static long hash(long hash, long family, long high, long low) {
        return Hash.mix(Hash.mix(Hash.mix(hash, family), high), low);
    }

    public static long addDistinct(long handle, long hash) {
        long mine = SketchPool.isNone(handle) ? opened(handle, new DistinctSketch()) : handle;
        if (SketchPool.isRefused(mine)) {
            SketchPool.of(mine).refuse();
            return mine;
        }
        DistinctSketch sketch = (DistinctSketch) SketchPool.sketch(mine);
        sketch.add(hash);
        return sketch.hasGrown() ? SketchPool.counted(mine) : mine;
    }

    public static long addQuantile(long handle, double value) {
        long mine = SketchPool.isNone(handle) ? opened(handle, new QuantileSketch()) : handle;
        if (SketchPool.isRefused(mine)) {
            SketchPool.of(mine).refuse();
            return mine;
        }
        QuantileSketch sketch = (QuantileSketch) SketchPool.sketch(mine);
        sketch.add(value);
        return sketch.hasGrown() ? SketchPool.counted(mine) : mine;
    }

    public static long addTop(long handle, long word) {
        long mine = SketchPool.isNone(handle) ? opened(handle, new TopSketch()) : handle;
        if (SketchPool.isRefused(mine)) {
            SketchPool.of(mine).refuse();
            return mine;
        }
        TopSketch sketch = (TopSketch) SketchPool.sketch(mine);
        sketch.add(word);
        return sketch.hasGrown() ? SketchPool.counted(mine) : mine;
    }

    public static long addTop(long handle, long family, long high, long low) {
        long mine = SketchPool.isNone(handle) ? opened(handle, new TopSketch()) : handle;
        if (SketchPool.isRefused(mine)) {
            SketchPool.of(mine).refuse();
            return mine;
        }
        TopSketch sketch = (TopSketch) SketchPool.sketch(mine);
        sketch.add(family, high, low);
        return sketch.hasGrown() ? SketchPool.counted(mine) : mine;
    }

    private static long opened(long handle, Sketch sketch) {
        return SketchPool.of(handle).add(sketch);
    }

    /**
     * Merges two sketches and returns the handle, in the pool of the first. The second stays as it
     * is.
     */
    public static long merge(long handle, long other) {
        if (SketchPool.isNone(other) || SketchPool.isRefused(handle)) {
            return handle;
        } else if (SketchPool.isRefused(other)) {
            return SketchPool.refused(handle);
        }
        Sketch from = SketchPool.sketch(other);
        long mine = SketchPool.isNone(handle) ? opened(handle, from.another()) : handle;
        if (SketchPool.isRefused(mine)) {
            SketchPool.of(mine).refuse();
            return mine;
        }
        SketchPool.sketch(mine).merge(from);
        return SketchPool.counted(mine);
    }

    /** Returns whether some of the group's values had no room, so that its result is unknown. */
    public static boolean isRefused(long handle) {
        return SketchPool.isRefused(handle);
    }

    public static long distinct(long handle) {
        return SketchPool.sketch(handle) instanceof DistinctSketch sketch ? sketch.estimate() : 0;
    }

    public static boolean hasQuantile(long handle) {
        return SketchPool.sketch(handle) instanceof QuantileSketch sketch && !sketch.isEmpty();
    }

    public static double quantile(long handle, double rank) {
        return SketchPool.sketch(handle) instanceof QuantileSketch sketch && !sketch.isEmpty()
                ? sketch.quantile(rank)
                : 0;
    }

    public static boolean hasTop(long handle, long rank) {
        return SketchPool.sketch(handle) instanceof TopSketch sketch && sketch.has(rank);
    }

    public static long topCount(long handle, long rank) {
        return hasTop(handle, rank) ? top(handle).count(rank) : 0;
    }

    public static long topFamily(long handle, long rank) {
        return hasTop(handle, rank) ? top(handle).family(rank) : 0;
    }

    public static long topHigh(long handle, long rank) {
        return hasTop(handle, rank) ? top(handle).high(rank) : 0;
    }

    public static long topLow(long handle, long rank) {
        return hasTop(handle, rank) ? top(handle).low(rank) : 0;
    }

    private static TopSketch top(long handle) {
        return (TopSketch) SketchPool.sketch(handle);
    }
}
