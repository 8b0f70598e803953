package io.weir.bench.table;

import io.weir.operators.map.Hash;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * The table of the Edison paper. A key is in one of two buckets of eight. A bucket is three cache
 * lines, with its eight keys in the first. So a search reads at most two lines of keys at any load.
 *
 * <pre>
 *   0  eight keys (0: free)     64  eight values of two words
 * </pre>
 *
 * When both buckets are full, entries move to their other bucket along the shortest path to a free
 * place, found breadth first. Entries move from the path's end on, so a search that fails does not
 * change the table.
 */
final class CuckooTable implements Table {
    private static final int WAYS = 8;
    private static final int KEYS_BYTES = WAYS * Long.BYTES;
    private static final int BUCKET_BYTES = WAYS * ENTRY_BYTES;

    /** Places that a search for a free one looks at before the table counts as full. */
    private static final int LONGEST_SEARCH = 4_096;

    private final NativeAllocator allocator;
    private final long bytes;
    private final long table;
    private final long mask;
    private int size;

    /** The search: places whose entries would move, each with the step that led to its bucket. */
    private final long[] bucketAt = new long[LONGEST_SEARCH];

    private final int[] wayAt = new int[LONGEST_SEARCH];
    private final int[] cameFrom = new int[LONGEST_SEARCH];

    CuckooTable(NativeAllocator allocator, int slotsLog2) {
        this.allocator = allocator;
        bytes = (long) ENTRY_BYTES << slotsLog2;
        table = allocator.allocate(bytes, MemoryTag.MAP);
        mask = (1L << slotsLog2) / WAYS - 1;
    }

    private long first(long hash) {
        return table + (hash & mask) * BUCKET_BYTES;
    }

    /** Returns the second bucket; if both would be one, its neighbour. */
    private long second(long hash) {
        long bucket = (hash >>> 32) * 0x9E37_79B1L & mask;
        long other = bucket == (hash & mask) ? bucket ^ 1 & mask : bucket;
        return table + other * BUCKET_BYTES;
    }

    @Override
    public long find(long key) {
        long hash = Hash.of(key);
        long first = first(hash);
        int way = wayOf(first, key);
        if (way >= 0) {
            return value(first, way);
        }
        long second = second(hash);
        way = wayOf(second, key);
        return way >= 0 ? value(second, way) : insert(first, second, key);
    }

    private static int wayOf(long bucket, long key) {
        for (int way = 0; way < WAYS; way++) {
            if (Memory.getLong(bucket + (long) way * Long.BYTES) == key) {
                return way;
            }
        }
        return -1;
    }

    private static long value(long bucket, int way) {
        return bucket + KEYS_BYTES + (long) way * VALUE_BYTES;
    }

    private long insert(long first, long second, long key) {
        long bucket = first;
        int way = wayOf(first, 0);
        if (way < 0) {
            bucket = second;
            way = wayOf(second, 0);
        }
        if (way < 0) {
            int step = makeRoom(first, second);
            if (step < 0) {
                return 0;
            }
            bucket = bucketAt[step];
            way = wayAt[step];
        }
        size++;
        Memory.putLong(bucket + (long) way * Long.BYTES, key);
        return value(bucket, way);
    }

    /** Frees a place in one of two full buckets. Returns the step that names it, or -1. */
    private int makeRoom(long first, long second) {
        int count = add(first, -1, 0);
        count = add(second, -1, count);
        for (int step = 0; step < count; step++) {
            long bucket = bucketAt[step];
            long other = otherOf(bucket, key(bucket, wayAt[step]));
            int free = wayOf(other, 0);
            if (free >= 0) {
                return move(step, other, free);
            } else if (count + WAYS <= LONGEST_SEARCH) {
                count = add(other, step, count);
            }
        }
        return -1;
    }

    private int add(long bucket, int from, int count) {
        for (int way = 0; way < WAYS; way++) {
            bucketAt[count + way] = bucket;
            wayAt[count + way] = way;
            cameFrom[count + way] = from;
        }
        return count + WAYS;
    }

    private static long key(long bucket, int way) {
        return Memory.getLong(bucket + (long) way * Long.BYTES);
    }

    private long otherOf(long bucket, long key) {
        long hash = Hash.of(key);
        long first = first(hash);
        return bucket == first ? second(hash) : first;
    }

    /**
     * Moves the entries of a path, the last first. Returns the path's first step, which is then
     * free.
     */
    private int move(int last, long freeBucket, int freeWay) {
        long to = freeBucket;
        int toWay = freeWay;
        int step = last;
        while (true) {
            long from = bucketAt[step];
            int fromWay = wayAt[step];
            Memory.copy(value(from, fromWay), value(to, toWay), VALUE_BYTES);
            Memory.putLong(to + (long) toWay * Long.BYTES, key(from, fromWay));
            Memory.putLong(from + (long) fromWay * Long.BYTES, 0);
            Memory.fill(value(from, fromWay), VALUE_BYTES, (byte) 0);
            if (cameFrom[step] < 0) {
                return step;
            }
            to = from;
            toWay = fromWay;
            step = cameFrom[step];
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void close() {
        allocator.free(table, bytes, MemoryTag.MAP);
    }
}
