package io.weir.operators.table;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.PrefixHash.Prefixes;
import java.util.BitSet;

/**
 * The prefixes of IPv4 of up to 24 bits, by address. The root has an entry for each 16 bits of an
 * address. If prefixes are longer, that entry names a node, which has one for each of the next 8.
 *
 * <pre>
 *   int entry: row + 1, 0 for none, or below 0: ~node
 *   bit 30 of an entry in a node: there are prefixes of more than 24 bits
 * </pre>
 */
final class PrefixTrie implements AutoCloseable {
    static final int MOST_BITS = 24;

    private static final int ROOT = 1 << 16;
    private static final int NODE = 1 << 8;
    private static final int NODE_BYTES = NODE * Integer.BYTES;
    private static final int LONGER = 1 << 30;

    private final NativeAllocator allocator;
    private final long root;
    private final long nodes;
    private final long nodesBytes;
    private int used;

    /**
     * @param longer prefixes of more bits, which are elsewhere
     */
    PrefixTrie(NativeAllocator allocator, Prefixes prefixes, Prefixes longer) {
        this.allocator = allocator;
        boolean empty = prefixes.count() + longer.count() == 0;
        BitSet parents = new BitSet(ROOT);
        mark(prefixes, parents);
        mark(longer, parents);
        nodesBytes = (long) parents.cardinality() * NODE_BYTES;
        root = empty ? 0 : allocator.allocate((long) ROOT * Integer.BYTES, MemoryTag.TABLE);
        nodes = nodesBytes == 0 ? 0 : allocateNodes();
        for (int bits = 0; bits <= MOST_BITS; bits++) {
            for (int p = 0; p < prefixes.count(); p++) {
                if (prefixes.bits(p) == bits) {
                    put((int) (prefixes.high(p) >>> 32), bits, prefixes.row(p));
                }
            }
        }
        for (int p = 0; p < longer.count(); p++) {
            long entry = entry((int) (longer.high(p) >>> 32));
            Memory.putInt(entry, Memory.getInt(entry) | LONGER);
        }
    }

    private long allocateNodes() {
        long address = allocator.tryAllocate(nodesBytes, MemoryTag.TABLE);
        if (address == 0) {
            allocator.free(root, (long) ROOT * Integer.BYTES, MemoryTag.TABLE);
            return allocator.allocate(nodesBytes, MemoryTag.TABLE);
        }
        return address;
    }

    private static void mark(Prefixes prefixes, BitSet parents) {
        for (int p = 0; p < prefixes.count(); p++) {
            if (prefixes.bits(p) > 16) {
                parents.set((int) (prefixes.high(p) >>> 48));
            }
        }
    }

    private void put(int network, int bits, int row) {
        if (bits <= 16) {
            int first = network >>> 16;
            for (int e = first; e < first + (1 << 16 - bits); e++) {
                Memory.putInt(root + (long) e * Integer.BYTES, row);
            }
        } else {
            long first = entry(network);
            for (int e = 0; e < 1 << MOST_BITS - bits; e++) {
                Memory.putInt(first + (long) e * Integer.BYTES, row);
            }
        }
    }

    /** Returns the address of the entry for 24 bits, whose node is made if need be. */
    private long entry(int network) {
        long parent = root + (long) (network >>> 16) * Integer.BYTES;
        int value = Memory.getInt(parent);
        if (value >= 0) {
            int node = used++;
            for (int e = 0; e < NODE; e++) {
                Memory.putInt(nodes + (long) node * NODE_BYTES + e * Integer.BYTES, value);
            }
            value = ~node;
            Memory.putInt(parent, value);
        }
        return nodes + (long) ~value * NODE_BYTES + (network >>> 8 & NODE - 1) * Integer.BYTES;
    }

    long bytes() {
        return (root == 0 ? 0 : (long) ROOT * Integer.BYTES) + nodesBytes;
    }

    /** Returns the entry for an address. */
    int find(long address) {
        if (root == 0) {
            return 0;
        }
        int value = Memory.getInt(root + (address >>> 16) * Integer.BYTES);
        return value >= 0
                ? value
                : Memory.getInt(
                        nodes
                                + (long) ~value * NODE_BYTES
                                + (address >>> 8 & NODE - 1) * Integer.BYTES);
    }

    static boolean hasLonger(int entry) {
        return (entry & LONGER) != 0;
    }

    static int row(int entry) {
        return entry & ~LONGER;
    }

    @Override
    public void close() {
        if (root != 0) {
            allocator.free(root, (long) ROOT * Integer.BYTES, MemoryTag.TABLE);
        }
        if (nodes != 0) {
            allocator.free(nodes, nodesBytes, MemoryTag.TABLE);
        }
    }
}
