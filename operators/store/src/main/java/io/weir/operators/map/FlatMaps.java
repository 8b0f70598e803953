package io.weir.operators.map;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeAllocator;

/** Makes the {@link FlatMap} that suits a layout. Stateless. */
public final class FlatMaps {
    private FlatMaps() {}

    /**
     * Makes an empty map.
     *
     * @param maxBytes bound of the table; while a small one grows, the old one is held beside it
     * @throws WeirException when there is no memory for even the first table
     */
    public static FlatMap create(NativeAllocator allocator, EntryLayout layout, long maxBytes) {
        return create(allocator, layout, maxBytes, SlotGrowth.FIRST_SLOTS);
    }

    /**
     * Makes an empty map with room for so many entries without growing. It is smaller if that would
     * take more than so many bytes, or if there is no memory for it.
     */
    public static FlatMap createFor(
            int entries,
            long mostBytes,
            NativeAllocator allocator,
            EntryLayout layout,
            long maxBytes) {
        long slots = SlotGrowth.slotsFor(entries, layout, mostBytes);
        if (slots > SlotGrowth.FIRST_SLOTS) {
            try {
                return create(allocator, layout, maxBytes, slots);
            } catch (WeirException noMemory) {
                // The map starts small then, and grows as far as it can.
            }
        }
        return create(allocator, layout, maxBytes);
    }

    private static FlatMap create(
            NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        FlatMap.Maker maker = FlatMaps::create;
        if (layout.isDirect()) {
            return new FlatMapDirect(allocator, layout, maxBytes, slots, maker);
        }
        return switch (layout.keyBytes()) {
            case Integer.BYTES -> new FlatMapInt(allocator, layout, maxBytes, slots, maker);
            case Long.BYTES -> new FlatMap1(allocator, layout, maxBytes, slots, maker);
            case 2 * Long.BYTES -> new FlatMap2(allocator, layout, maxBytes, slots, maker);
            default -> new FlatMapN(allocator, layout, maxBytes, slots, maker);
        };
    }

    /** Returns the bytes of a table with so many slots. */
    public static long bytes(EntryLayout layout, long slots) {
        return SlotGrowth.bytes(layout.strideBytes(), slots);
    }
}
