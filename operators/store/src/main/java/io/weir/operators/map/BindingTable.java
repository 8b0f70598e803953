package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * The bindings of one query on one pipeline, by key, in native memory. A kernel asks for the key of
 * a packet word by word: {@code key(a).and(b).find()}. {@link #at} then gives the activation of a
 * packet's time: a key that has woken again has an earlier one while packets of it can come. The
 * owner changes it between segments only, so addresses stay valid for a segment.
 *
 * <pre>
 *   slot: long id (0: free), long from, long until, key words, value words
 * </pre>
 *
 * It has open addressing and grows at half full. The caller bounds the number of bindings. The
 * pipeline's thread.
 */
public final class BindingTable implements AutoCloseable {
    private static final int FROM = Long.BYTES;
    private static final int UNTIL = 2 * Long.BYTES;
    private static final int KEY = 3 * Long.BYTES;
    private static final int FIRST_SLOTS = 16;

    private final NativeAllocator allocator;
    private final int keyWords;
    private final int valueWords;
    private final int stride;
    private final long[] key;
    private int asked;
    private long hash;
    private long address;
    private int slots;
    private int used;

    /**
     * @throws io.weir.operators.error.WeirException OUT_OF_NATIVE_MEMORY
     */
    public BindingTable(NativeAllocator allocator, int keyWords, int valueWords) {
        this.allocator = allocator;
        this.keyWords = keyWords;
        this.valueWords = valueWords;
        stride = KEY + (keyWords + valueWords) * Long.BYTES;
        key = new long[keyWords];
        slots = FIRST_SLOTS;
        address = allocate(slots);
    }

    private long allocate(int count) {
        return allocator.allocate((long) count * stride, MemoryTag.MAP);
    }

    /** Begins a key. */
    public BindingTable key(long word) {
        key[0] = word;
        asked = 1;
        hash = Hash.of(word);
        return this;
    }

    /** Adds a word to the key. */
    public BindingTable and(long word) {
        key[asked++] = word;
        hash = Hash.mix(hash, word);
        return this;
    }

    /** Returns the address of the key's binding; 0 if there is none. */
    public long find() {
        long slot = slotOf(hash);
        return Memory.getLong(slot) == 0 ? 0 : slot;
    }

    /** Returns the first slot of the key, or the free slot where it would be. */
    private long slotOf(long keyHash) {
        long slot = slot(Hash.bucket(keyHash, slots));
        while (Memory.getLong(slot) != 0 && !isKey(slot)) {
            slot = after(slot);
        }
        return slot;
    }

    /** Returns the slot of an activation, or the free slot where it would be. */
    private long slotOf(long[] words, long id) {
        ask(words);
        long slot = slotOf(hash);
        while (Memory.getLong(slot) != 0 && Memory.getLong(slot) != id) {
            slot = after(slot);
        }
        return slot;
    }

    private long after(long slot) {
        long next = slot + stride;
        return next == address + (long) slots * stride ? address : next;
    }

    /**
     * Returns the address of the activation that counts at that time; 0 if there is none.
     *
     * @param first from {@link #find}
     */
    public long at(long first, long timeNs) {
        long slot = first;
        while (slot != 0 && !covers(slot, timeNs)) {
            do {
                slot = after(slot);
            } while (Memory.getLong(slot) != 0 && !isSameKey(slot, first));
            slot = Memory.getLong(slot) == 0 ? 0 : slot;
        }
        return slot;
    }

    private boolean isSameKey(long slot, long other) {
        for (int w = 0; w < keyWords; w++) {
            long at = KEY + (long) w * Long.BYTES;
            if (Memory.getLong(slot + at) != Memory.getLong(other + at)) {
                return false;
            }
        }
        return true;
    }

    private static boolean covers(long slot, long timeNs) {
        return Memory.getLong(slot + FROM) <= timeNs && timeNs < Memory.getLong(slot + UNTIL);
    }

    private boolean isKey(long slot) {
        for (int w = 0; w < keyWords; w++) {
            if (Memory.getLong(slot + KEY + w * Long.BYTES) != key[w]) {
                return false;
            }
        }
        return true;
    }

    private void ask(long[] words) {
        key(words[0]);
        for (int w = 1; w < keyWords; w++) {
            and(words[w]);
        }
    }

    /** Adds an activation, or replaces the one with this number. */
    public void put(long id, long fromNs, long untilNs, long[] words, long[] values) {
        if (2 * (used + 1) > slots) {
            grow();
        }
        long slot = slotOf(words, id);
        used += Memory.getLong(slot) == 0 ? 1 : 0;
        Memory.putLong(slot, id);
        Memory.putLong(slot + FROM, fromNs);
        Memory.putLong(slot + UNTIL, untilNs);
        for (int w = 0; w < keyWords; w++) {
            Memory.putLong(slot + KEY + w * Long.BYTES, words[w]);
        }
        for (int v = 0; v < valueWords; v++) {
            Memory.putLong(slot + KEY + (keyWords + v) * Long.BYTES, values[v]);
        }
    }

    /** Removes an activation, if it is there. */
    public void remove(long id, long[] words) {
        long slot = slotOf(words, id);
        if (Memory.getLong(slot) == 0) {
            return;
        }
        Memory.putLong(slot, 0);
        used--;
        closeGap((int) ((slot - address) / stride));
    }

    /** Moves later slots of the run up, so that a search does not end at the gap. */
    private void closeGap(int freed) {
        int gap = freed;
        int at = next(freed);
        while (Memory.getLong(slot(at)) != 0) {
            int home = home(slot(at));
            boolean stays = gap <= at ? gap < home && home <= at : gap < home || home <= at;
            if (!stays) {
                Memory.copy(slot(at), slot(gap), stride);
                Memory.putLong(slot(at), 0);
                gap = at;
            }
            at = next(at);
        }
    }

    private int next(int slot) {
        return slot + 1 == slots ? 0 : slot + 1;
    }

    private long slot(int number) {
        return address + (long) number * stride;
    }

    private int home(long slot) {
        return Hash.bucket(Hash.of(slot + KEY, keyWords), slots);
    }

    private void grow() {
        long old = address;
        int oldSlots = slots;
        address = allocate(2 * oldSlots);
        slots = 2 * oldSlots;
        for (int s = 0; s < oldSlots; s++) {
            long from = old + (long) s * stride;
            if (Memory.getLong(from) != 0) {
                moveIn(from);
            }
        }
        allocator.free(old, (long) oldSlots * stride, MemoryTag.MAP);
    }

    private void moveIn(long from) {
        int at = home(from);
        while (Memory.getLong(slot(at)) != 0) {
            at = next(at);
        }
        Memory.copy(from, slot(at), stride);
    }

    /** Returns the number of the activation; 0 without a binding. */
    public static long id(long binding) {
        return binding == 0 ? 0 : Memory.getLong(binding);
    }

    /** Returns a word after the slot's head; 0 without a binding. */
    public static long word(long binding, long index) {
        return binding == 0 ? 0 : Memory.getLong(binding + KEY + index * Long.BYTES);
    }

    @Override
    public void close() {
        if (address != 0) {
            allocator.free(address, (long) slots * stride, MemoryTag.MAP);
            address = 0;
        }
    }
}
