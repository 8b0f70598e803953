package io.weir.operators.map;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link FlatMap} for small numbers: an array, in which a key is the number of its slot. It has
 * as many slots as the largest key needs, up to 2^16. Larger keys, and keys without memory, are in
 * a map beside it.
 *
 * <p>Slots hold no keys. They all have their first value from the start. An entry exists if its
 * marking word is not 0, and the caller of a find must set that word. It lies behind the value
 * words, or is one of them ({@link EntryLayout#direct}). A slot may have several lanes of all those
 * words, which are used in turn. So successive packets with the same key do not wait for one
 * another's stores. A settled map has the sums.
 *
 * <p>Entries are listed only once the map is settled. They are not looked up in batches, because
 * there are few cache misses to hide.
 */
public final class FlatMapDirect extends FlatMap {
    private static final long MOST_SLOTS = 1 << 16;

    private final EntryLayout layout;
    private final Maker maker;
    private final long entryOffset;
    private final long laneBytes;
    private FlatMap1 beside;
    private boolean refused;

    FlatMapDirect(
            NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots, Maker maker) {
        super(allocator, layout, maxBytes, slots, maker);
        this.layout = layout;
        this.maker = maker;
        entryOffset = (long) layout.entryWord() * Long.BYTES;
        laneBytes = layout.laneBytes();
        initialiseFrom(0);
    }

    /**
     * Returns the address of key 0's value words. The words of key n are n entries behind, if n is
     * less than {@link #keys}. It holds until the next find.
     */
    public long values() {
        return table;
    }

    /** Returns the number of keys that have slots. */
    public long keys() {
        return slots();
    }

    /** Seeks and finds one key, of at least 0. */
    public long findAlone(long k0) {
        while (k0 >= slots()) {
            long before = slots();
            if (k0 >= MOST_SLOTS || !widen()) {
                return findBeside(k0);
            }
            initialiseFrom(before);
        }
        return slotAddress(k0);
    }

    private long findBeside(long k0) {
        if (beside == null && !refused) {
            List<Long> words = new ArrayList<>(layout.initialValue());
            if (layout.hasWordBehind()) {
                words.add(0L);
            }
            try {
                EntryLayout whole = EntryLayout.settled(1, words);
                long most = maxBytes() - tableBytes();
                beside = (FlatMap1) maker.make(allocator(), whole, most, SlotGrowth.FIRST_SLOTS);
            } catch (WeirException noMemory) {
                refused = true;
            }
        }
        return beside == null ? 0 : beside.findAlone(k0);
    }

    @Override
    public boolean handOver(NativeAllocator to) {
        return super.handOver(to) && (beside == null || beside.handOver(to));
    }

    @Override
    public long findAt(long keyAddress) {
        return findAlone(Memory.getLong(keyAddress));
    }

    /** An array that grows leaves its entries where they are. */
    @Override
    void place(long entry) {}

    private boolean isEntry(long slot) {
        long any = 0;
        for (long lane = slot; lane < slot + stride; lane += laneBytes) {
            any |= Memory.getLong(lane + entryOffset);
        }
        return any != 0;
    }

    @Override
    FlatMap emptySettled(NativeAllocator memory) {
        EntryLayout settled = layout.toSettled();
        long slots = Math.max(SlotGrowth.FIRST_SLOTS, 4L * Integer.highestOneBit(size()));
        long bytes = SlotGrowth.bytes(settled.strideBytes(), slots);
        return maker.make(memory, settled, Math.max(maxBytes(), bytes), slots);
    }

    @Override
    void settleInto(FlatMap into) {
        FlatMap1 settled = (FlatMap1) into;
        for (long key = 0; key < slots(); key++) {
            if (isEntry(slotAddress(key))) {
                settle(slotAddress(key), settled.findAlone(key));
            }
        }
        if (beside != null) {
            for (long e = beside.firstEntry(); e != 0; e = beside.nextEntry(e)) {
                copy(e + beside.keyBytes, settled.findAlone(Memory.getLong(e)));
            }
        }
    }

    private void settle(long slot, long value) {
        copy(slot, value);
        for (long lane = slot + laneBytes; lane < slot + stride; lane += laneBytes) {
            add(value, lane);
        }
    }

    private void copy(long from, long to) {
        Memory.copy(from, to, (long) valueWords() * Long.BYTES);
    }

    /** Counts the entries. */
    @Override
    public int size() {
        int entries = beside == null ? 0 : beside.size();
        for (long key = 0; key < slots(); key++) {
            entries += isEntry(slotAddress(key)) ? 1 : 0;
        }
        return entries;
    }

    @Override
    public long bytes() {
        return super.bytes() + (beside == null ? 0 : beside.bytes());
    }

    @Override
    public void clear() {
        super.clear();
        initialiseFrom(0);
        closeBeside();
    }

    @Override
    public void close() {
        super.close();
        closeBeside();
    }

    private void closeBeside() {
        refused = false;
        if (beside != null) {
            beside.close();
            beside = null;
        }
    }
}
