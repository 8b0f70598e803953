package io.weir.operators.gpv;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Symbols;
import io.weir.operators.memory.Memory;
import java.nio.ByteOrder;

/**
 * Reads one GPV of any layout in place, column by column. Generic: for tools, oracles and tests,
 * not for the packet path. One thread; {@link #wrap} moves it.
 */
public final class GpvCursor {
    private final GpvLayout layout;
    private final Field count;
    private final Field start;
    private final Field delta;
    private long address;

    public GpvCursor(GpvLayout layout) {
        this.layout = layout;
        this.count = layout.field(GpvLayout.COUNT).orElseThrow();
        this.start = layout.field(GpvLayout.START).orElseThrow();
        this.delta = layout.field(GpvLayout.DELTA).orElseThrow();
    }

    /** Moves to the GPV at an address. */
    public GpvCursor wrap(long gpvAddress) {
        address = gpvAddress;
        return this;
    }

    public GpvLayout layout() {
        return layout;
    }

    /** Packets of this GPV. */
    public int count() {
        return (int) FieldAccess.load(count, layout.order(), address);
    }

    public int gpvBytes() {
        return layout.gpvBytes(count());
    }

    public long startNs() {
        return FieldAccess.load(start, layout.order(), address);
    }

    public long tsNs(int packet) {
        return startNs() + word(delta, packet) * layout.deltaUnitNs();
    }

    /**
     * Returns a field of up to 64 bits.
     *
     * @param packet from 0; without meaning for a field of the header
     */
    public long word(Field field, int packet) {
        return FieldAccess.load(field, layout.order(), base(field, packet));
    }

    /** Returns a field that holds an address. */
    public Inet inet(Field field) {
        long at = address + field.offset();
        boolean big = layout.order() == ByteOrder.BIG_ENDIAN;
        if (field.loadBytes() == 4) {
            return Inet.v4((int) FieldAccess.load(field, layout.order(), address));
        }
        return big
                ? Inet.v6(Memory.getLongBigEndian(at), Memory.getLongBigEndian(at + 8))
                : Inet.v6(Memory.getLong(at), Memory.getLong(at + 8));
    }

    /**
     * Returns one packet's value of a column of the packet stream, boxed: Long, Inet or String.
     *
     * @param nodeSymbol the block's
     * @throws IllegalArgumentException when the layout does not carry the column
     */
    public Object value(String column, int packet, int nodeSymbol) {
        return switch (column) {
            case "ts" -> tsNs(packet);
            case "node_id" -> Symbols.text(nodeSymbol);
            case "sampling_rate" -> 1L;
            default -> carried(column, packet);
        };
    }

    private Object carried(String column, int packet) {
        Field field = layout.field(column).orElse(null);
        if (field == null && column.equals("etype")) {
            return layout.family() == 4 ? 0x0800L : 0x86DDL;
        }
        if (field == null) {
            throw new IllegalArgumentException(layout.name() + " does not carry " + column);
        }
        return column.endsWith("_addr") ? inet(field) : (Object) word(field, packet);
    }

    private long base(Field field, int packet) {
        return field.place() == Field.Place.HEADER
                ? address
                : address + layout.headerBytes() + (long) packet * layout.tupleBytes();
    }
}
