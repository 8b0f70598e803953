package io.weir.operators.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.graph.Inet;
import io.weir.operators.memory.Memory;
import io.weir.operators.ring.BlockWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

/** A GPV as boxed values, to be written by fields and compared with what cursors read. */
public final class RandomGpv {
    private final GpvLayout layout;
    private final int count;
    private final Map<String, Object> header = new HashMap<>();
    private final Map<String, long[]> tuples = new HashMap<>();

    /** Every field random; times from {@code startNs} on never go back. */
    public RandomGpv(Random random, GpvLayout layout, int count, long startNs) {
        this.layout = layout;
        this.count = count;
        for (Field field : layout.fields()) {
            if (field.place() == Field.Place.TUPLE) {
                tuples.put(field.name(), random.longs(count).map(v -> v & mask(field)).toArray());
            } else if (field.name().endsWith("_addr")) {
                header.put(field.name(), address(random, layout.family()));
            } else {
                header.put(field.name(), random.nextLong() & mask(field));
            }
        }
        header.put(GpvLayout.COUNT, (long) count);
        header.put(GpvLayout.START, startNs);
        tuples.put(GpvLayout.DELTA, deltas(random));
    }

    private long[] deltas(Random random) {
        long step = Math.min(layout.maxDelta() / count, 1 + random.nextInt(200_000_000));
        long[] deltas = new long[count];
        for (int i = 1; i < count; i++) {
            deltas[i] = deltas[i - 1] + random.nextLong(step + 1);
        }
        return deltas;
    }

    private static long mask(Field field) {
        return field.bits() == 64 ? -1L : (1L << field.bits()) - 1;
    }

    private static Inet address(Random random, int family) {
        return family == 4
                ? Inet.v4(0x0A000000 + random.nextInt(256))
                : Inet.v6(0x2001_0db8_0000_0000L, random.nextInt(256));
    }

    /** Sets a header field to a Long, cut to the bits of the field, or to an Inet. */
    public RandomGpv with(String field, Object value) {
        boolean isNumber = value instanceof Long;
        header.put(
                field,
                isNumber
                        ? (Object) ((Long) value & mask(layout.field(field).orElseThrow()))
                        : value);
        return this;
    }

    /** Sets a tuple field to one value a packet, each cut to the bits of the field. */
    public RandomGpv with(String field, long[] values) {
        long mask = mask(layout.field(field).orElseThrow());
        tuples.put(field, LongStream.of(values).map(v -> v & mask).toArray());
        return this;
    }

    public GpvLayout layout() {
        return layout;
    }

    public int count() {
        return count;
    }

    public Object header(String field) {
        return header.get(field);
    }

    public long tuple(String field, int packet) {
        return tuples.get(field)[packet];
    }

    public long tsNs(int packet) {
        return (Long) header.get(GpvLayout.START)
                + tuple(GpvLayout.DELTA, packet) * layout.deltaUnitNs();
    }

    /** Claims room in a block and writes this GPV into it. */
    public void writeTo(BlockWriter writer, boolean late) {
        writeTo(writer, late, cameNs());
    }

    /** The same; a late one came when its source's newest time was this. */
    public void writeTo(BlockWriter writer, boolean late, long cameNs) {
        write(writer.claim(layout, late ? BlockLayout.SEGMENT_FLAG_LATE : 0, cameNs, count));
    }

    /** Of one that is late: its source's newest time. */
    public long cameNs() {
        return tsNs(0) + 1_000_000_000L;
    }

    public void write(long address) {
        Memory.fill(address, layout.gpvBytes(count), (byte) 0x5A);
        for (Field field : layout.fields()) {
            if (field.place() == Field.Place.HEADER) {
                writeHeader(field, address);
            } else {
                for (int i = 0; i < count; i++) {
                    long base = address + layout.gpvBytes(i);
                    FieldAccess.store(field, layout.order(), base, tuple(field.name(), i));
                }
            }
        }
    }

    private void writeHeader(Field field, long address) {
        if (!(header.get(field.name()) instanceof Inet inet)) {
            FieldAccess.store(field, layout.order(), address, (Long) header.get(field.name()));
        } else if (field.loadBytes() == 4) {
            FieldAccess.store(field, layout.order(), address, inet.low());
        } else {
            Field high = Field.header("high", field.offset(), 8);
            Field low = Field.header("low", field.offset() + 8, 8);
            FieldAccess.store(high, layout.order(), address, inet.high());
            FieldAccess.store(low, layout.order(), address, inet.low());
        }
    }

    /** Asserts that a cursor reads what was written. */
    public void assertReadBy(GpvCursor cursor, String message) {
        assertEquals(count, cursor.count(), message);
        for (Field field : layout.fields()) {
            String what = message + ", " + layout.name() + " " + field.name();
            for (int i = 0; i < count; i++) {
                if (field.loadBytes() == 16 || field.name().endsWith("_addr")) {
                    assertEquals(header.get(field.name()), cursor.inet(field), what);
                } else if (field.place() == Field.Place.HEADER) {
                    assertEquals(header.get(field.name()), cursor.word(field, i), what);
                } else {
                    assertEquals(tuple(field.name(), i), cursor.word(field, i), what);
                }
                assertEquals(tsNs(i), cursor.value("ts", i, 0), what);
            }
        }
    }
}
