package io.weir.ingest.wire.gpv;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Inet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes datagrams as a switch does, with random flows. It keeps each packet as text. */
final class Datagrams {
    static final long SECOND = 1_000_000_000L;

    private final Random random;
    private final int source;
    private final int instance;
    private final List<GpvLayout> layouts;
    int epoch;
    int sequence;
    long total;
    long timeNs;
    long watermarkNs;

    /** The packets of the last datagram. */
    List<String> rows = List.of();

    Datagrams(Random random, int source, int instance, String layout, long timeNs) {
        this.random = random;
        this.source = source;
        this.instance = instance;
        this.layouts =
                List.of(
                        GpvLayout.of(layout, 4).orElseThrow(),
                        GpvLayout.of(layout, 6).orElseThrow());
        this.timeNs = timeNs;
        epoch = random.nextInt();
        sequence = random.nextInt(1000);
        total = random.nextInt(100_000);
    }

    /** Starts again, as a switch does after a reset. */
    void restart() {
        epoch++;
        sequence = 0;
        total = 0;
    }

    byte[] next(int gpvs) {
        return next(gpvs, 1 + random.nextInt(8));
    }

    /** Returns the next datagram, whose GPVs have so many packets each. */
    byte[] next(int gpvs, int count) {
        GpvLayout layout = layouts.get(random.nextInt(2));
        int packets = gpvs * count;
        byte[] bytes = new byte[WireBlock.HEADER_BYTES + gpvs * layout.gpvBytes(count)];
        ByteBuffer out = ByteBuffer.wrap(bytes);
        out.putInt(WireBlock.MAGIC).put((byte) WireBlock.VERSION).put((byte) layout.id());
        out.putShort((short) instance).putInt(source).putInt(epoch).putInt(sequence);
        out.putShort((short) gpvs).putShort((short) packets).putLong(total).putLong(watermarkNs);
        rows = new ArrayList<>();
        for (int i = 0; i < gpvs; i++) {
            gpv(out, layout, count);
        }
        sequence++;
        total += packets;
        return bytes;
    }

    private void gpv(ByteBuffer out, GpvLayout layout, int count) {
        int at = out.position();
        long startNs = timeNs - timeNs % 1000;
        for (int i = at; i < at + layout.gpvBytes(count); i++) {
            out.put(i, (byte) random.nextInt());
        }
        put(out, layout, GpvLayout.COUNT, at, count);
        put(out, layout, GpvLayout.START, at, startNs);
        long delta = 0;
        for (int i = 0; i < count; i++) {
            int tuple = at + layout.headerBytes() + i * layout.tupleBytes();
            put(out, layout, GpvLayout.DELTA, tuple, delta);
            long ts = startNs + delta * layout.deltaUnitNs();
            rows.add(row(out, layout, at, tuple, ts));
            delta += random.nextInt(100);
            timeNs = Math.max(timeNs, ts);
        }
        out.position(at + layout.gpvBytes(count));
    }

    private static String row(ByteBuffer in, GpvLayout layout, int at, int tuple, long ts) {
        return ts
                + " "
                + address(in, layout, "src_addr", at)
                + " "
                + address(in, layout, "dst_addr", at)
                + " "
                + get(in, layout, "src_port", at)
                + " "
                + get(in, layout, "dst_port", at)
                + " "
                + get(in, layout, "proto", at)
                + " "
                + get(in, layout, "bytes", tuple);
    }

    private static String address(ByteBuffer in, GpvLayout layout, String name, int at) {
        Field field = layout.field(name).orElseThrow();
        in.order(layout.order());
        Inet inet =
                layout.family() == 4
                        ? Inet.v4(in.getInt(at + field.offset()))
                        : Inet.v6(
                                in.getLong(at + field.offset()),
                                in.getLong(at + field.offset() + 8));
        in.order(ByteOrder.BIG_ENDIAN);
        return inet.toString();
    }

    static long get(ByteBuffer in, GpvLayout layout, String name, int base) {
        Field field = layout.field(name).orElseThrow();
        return word(in, layout, field, base) >>> field.shift() & mask(field);
    }

    private static void put(ByteBuffer out, GpvLayout layout, String name, int base, long value) {
        Field field = layout.field(name).orElseThrow();
        long mask = mask(field) << field.shift();
        long word = word(out, layout, field, base) & ~mask | value << field.shift() & mask;
        int at = base + field.offset();
        out.order(layout.order());
        switch (field.loadBytes()) {
            case 1 -> out.put(at, (byte) word);
            case 2 -> out.putShort(at, (short) word);
            case 4 -> out.putInt(at, (int) word);
            default -> out.putLong(at, word);
        }
        out.order(ByteOrder.BIG_ENDIAN);
    }

    private static long mask(Field field) {
        return field.bits() == 64 ? -1L : (1L << field.bits()) - 1;
    }

    private static long word(ByteBuffer in, GpvLayout layout, Field field, int base) {
        int at = base + field.offset();
        in.order(layout.order());
        long word =
                switch (field.loadBytes()) {
                    case 1 -> in.get(at) & 0xFFL;
                    case 2 -> in.getShort(at) & 0xFFFFL;
                    case 4 -> in.getInt(at) & 0xFFFF_FFFFL;
                    default -> in.getLong(at);
                };
        in.order(ByteOrder.BIG_ENDIAN);
        return word;
    }
}
