package io.weir.operators.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Mutated blocks are refused with a reason or read within their bounds; never a crash. */
final class HostileBlockTest {
    private static final int BLOCK_BYTES = 4096;

    private final BlockCursor cursor = new BlockCursor(false);
    private final Map<BlockFault, Integer> faults = new EnumMap<>(BlockFault.class);

    @Test
    void mutatedBlocks() {
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long copy = allocator.allocate(BLOCK_BYTES, MemoryTag.TEST);
            for (long seed = 1; seed <= 20_000; seed++) {
                Random random = new Random(seed);
                int length = soundBlock(random, allocator, copy);
                assertEquals(BlockFault.NONE, cursor.wrap(copy, length), "seed " + seed);
                mutate(random, copy, length);
                int shown = random.nextInt(8) == 0 ? random.nextInt(length + 1) : length;
                BlockFault fault = cursor.wrap(copy, shown);
                faults.merge(fault, 1, Integer::sum);
                walk(copy, shown, "seed " + seed);
            }
            allocator.free(copy, BLOCK_BYTES, MemoryTag.TEST);
        }
        for (BlockFault fault : BlockFault.values()) {
            assertTrue(faults.getOrDefault(fault, 0) > 0, fault + " never came: " + faults);
        }
    }

    private static int soundBlock(Random random, NativeAllocator allocator, long copy) {
        int[] length = new int[1];
        try (BlockRing ring = new BlockRing(allocator, 8 * BLOCK_BYTES)) {
            BlockWriter writer = new BlockWriter(ring, 0, BLOCK_BYTES, () -> {});
            for (int i = random.nextInt(8); i > 0; i--) {
                GpvLayout layout = GpvLayout.all().get(random.nextInt(6));
                new RandomGpv(random, layout, 1 + random.nextInt(4), 0).writeTo(writer, false);
            }
            writer.flush(1);
            ring.read(
                    (address, bytes) -> {
                        length[0] = Memory.getInt(address + BlockLayout.LENGTH);
                        Memory.copy(address, copy, length[0]);
                    },
                    1);
        }
        return length[0];
    }

    private static void mutate(Random random, long copy, int length) {
        int[] values = {0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, random.nextInt()};
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int word = random.nextInt(3) == 0 ? random.nextInt(length / 4) : random.nextInt(16);
            if (word * 4 + 4 <= length) {
                Memory.putInt(copy + word * 4L, values[random.nextInt(values.length)]);
            }
        }
    }

    private void walk(long copy, int length, String message) {
        while (cursor.nextSegment()) {
            GpvCursor gpv = new GpvCursor(GpvLayout.all().get(cursor.layoutId()));
            long at = cursor.gpvsAddress();
            for (int i = 0; i < cursor.gpvs(); i++) {
                at += gpv.wrap(at).gpvBytes();
                assertTrue(at <= copy + length, message);
            }
        }
    }
}
