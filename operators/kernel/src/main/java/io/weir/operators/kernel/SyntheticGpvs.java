package io.weir.operators.kernel;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.FieldAccess;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Inet;
import io.weir.operators.map.Batch;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Made-up GPVs of one layout, which warm a kernel up. Each condition of the kernel holds for some
 * and fails for others, because its literals are among the values. The GPVs are the same each time.
 * One thread.
 */
final class SyntheticGpvs implements AutoCloseable {
    static final int COUNT = 2048;

    /**
     * A GPV has few packets and a call has few GPVs. HotSpot must compile the method first. It
     * would otherwise compile the loops alone, which is of no use.
     */
    private static final int MOST_PACKETS = 4;

    /**
     * In each group of this size, one call runs over the first GPVs and one call over each other.
     * The second GPV of a call reaches C, if C reads whole GPVs.
     */
    private static final int PART = 8;

    private static final int FEW = 3;

    /**
     * The length of one long call. It fills the kernel's batch even if half of the GPVs fail the
     * conditions.
     */
    static final int LONG_CALL = 3 * Batch.SIZE + 100;

    private final GpvLayout layout;
    private final Field count;
    private final Field start;
    private final Field delta;
    private final Map<String, List<Object>> literals;
    private final NativeAllocator allocator;
    private final long stepNs;
    private final SplittableRandom random = new SplittableRandom(17);
    private final long address;
    private final long bytes;
    private final long[] gpvs = new long[COUNT];

    /** True if the next GPV has the query's own literals in the columns that the query compares. */
    private boolean matching;

    /**
     * True if the next GPV belongs to a few flows that come again in each pane. Some of them are
     * not found at their first slot. Other flows are new each time.
     */
    private boolean returning;

    /**
     * @param literals values that the query compares columns with
     * @param stepNs between two GPVs; each lasts for some steps, so that panes end inside of some
     */
    SyntheticGpvs(
            GpvLayout layout,
            Map<String, List<Object>> literals,
            long stepNs,
            NativeAllocator allocator) {
        this.stepNs = stepNs;
        this.layout = layout;
        count = layout.field(GpvLayout.COUNT).orElseThrow();
        start = layout.field(GpvLayout.START).orElseThrow();
        delta = layout.field(GpvLayout.DELTA).orElseThrow();
        this.literals = literals;
        this.allocator = allocator;
        bytes = (long) gpvs.length * layout.gpvBytes(MOST_PACKETS);
        address = allocator.allocate(bytes, MemoryTag.SCRATCH);
        long next = address;
        for (int g = 0; g < gpvs.length; g++) {
            gpvs[g] = next;
            matching = random.nextBoolean();
            returning = random.nextBoolean();
            next = write(next, 1 + random.nextInt(MOST_PACKETS));
        }
    }

    private long write(long gpv, int packets) {
        for (Field field : layout.fields()) {
            if (field.place() == Field.Place.HEADER) {
                header(gpv, field);
            } else {
                for (int i = 0; i < packets; i++) {
                    store(gpv + layout.gpvBytes(i), field, word(field));
                }
            }
        }
        long most = layout.maxDelta() / MOST_PACKETS;
        long step = Math.min(3 * stepNs / layout.deltaUnitNs(), most);
        for (int i = 0; i < packets; i++) {
            store(gpv + layout.gpvBytes(i), delta, i * step);
        }
        store(gpv, count, packets);
        return gpv + layout.gpvBytes(packets);
    }

    private void header(long gpv, Field field) {
        if (!field.name().endsWith("_addr")) {
            store(gpv, field, word(field));
            return;
        }
        Inet inet = address(field);
        if (field.loadBytes() == 4) {
            store(gpv, field, inet.low());
        } else {
            boolean big = layout.order() == ByteOrder.BIG_ENDIAN;
            long at = gpv + field.offset();
            Memory.putLong(at, big ? Long.reverseBytes(inet.high()) : inet.high());
            Memory.putLong(at + Long.BYTES, big ? Long.reverseBytes(inet.low()) : inet.low());
        }
    }

    private Inet address(Field field) {
        List<Object> chosen = new ArrayList<>();
        for (Object literal : literals.getOrDefault(field.name(), List.of())) {
            if (literal instanceof Inet inet && inet.family() == layout.family()) {
                chosen.add(inet);
            }
        }
        if (!chosen.isEmpty() && (matching || random.nextBoolean())) {
            return (Inet) chosen.get(random.nextInt(chosen.size()));
        }
        int host = random.nextInt(returning ? 1 << 5 : 1 << 12);
        if (host < 16 && !returning) {
            return layout.family() == 4 ? Inet.v4(0) : Inet.v6(0, 0);
        }
        return layout.family() == 4
                ? Inet.v4(0x0A000000 + host)
                : Inet.v6(0x2001_0db8_0000_0000L, host);
    }

    private long word(Field field) {
        List<Object> known = literals.getOrDefault(field.name(), List.of());
        if (!known.isEmpty() && (matching || random.nextBoolean())) {
            Object literal = known.get(random.nextInt(known.size()));
            if (literal instanceof Long value) {
                return matching ? value : value + random.nextInt(3) - 1;
            }
        }
        if (random.nextInt(16) == 0) {
            return 0;
        }
        return random.nextInt(1 << Math.min(field.bits(), returning ? 1 : 11));
    }

    private void store(long base, Field field, long value) {
        FieldAccess.store(field, layout.order(), base, value);
    }

    GpvLayout layout() {
        return layout;
    }

    /** Returns the number of GPVs for one call from that GPV on. */
    static int atOnce(int gpv) {
        if (gpv == COUNT - LONG_CALL) {
            return LONG_CALL;
        }
        return gpv % PART == 0 && gpv + FEW <= COUNT - LONG_CALL ? FEW : 1;
    }

    long address(int gpv) {
        return gpvs[gpv];
    }

    /** Sets the times of the GPVs from {@code fromNs} on, one step after another. A few go back. */
    void times(long fromNs) {
        for (int g = 0; g < gpvs.length; g++) {
            long backNs = g % 61 == 60 ? 600 * stepNs : 0;
            store(gpvs[g], start, fromNs + g * stepNs - backNs);
        }
    }

    @Override
    public void close() {
        allocator.free(address, bytes, MemoryTag.SCRATCH);
    }
}
