package io.weir.operators.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.Field.Place;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

final class GpvLayoutTest {
    @Test
    void idsAreIndices() {
        for (int i = 0; i < GpvLayout.all().size(); i++) {
            assertEquals(i, GpvLayout.all().get(i).id());
        }
    }

    /** The sizes that the ATC 2018 paper gives: 24-byte header, 32-bit tuples. */
    @Test
    void flow32IsThePapers() {
        assertEquals(24, GpvLayout.FLOW32_V4.headerBytes());
        assertEquals(4, GpvLayout.FLOW32_V4.tupleBytes());
        assertEquals((1 << 20) - 1, GpvLayout.FLOW32_V4.maxDelta());
    }

    /** No two fields share a bit, and none lies outside its header or tuple. */
    @Test
    void fieldsDoNotOverlap() {
        for (GpvLayout layout : GpvLayout.all()) {
            for (Place place : Place.values()) {
                int bytes = place == Place.HEADER ? layout.headerBytes() : layout.tupleBytes();
                BitSet used = new BitSet();
                for (Field field : layout.fields()) {
                    if (field.place() == place) {
                        claim(used, field, bytes, layout);
                    }
                }
            }
        }
    }

    private static void claim(BitSet used, Field field, int bytes, GpvLayout layout) {
        // Bits are numbered by significance within the loaded word; words of different fields
        // either coincide or are disjoint, in all layouts.
        int from = field.offset() * 8 + field.shift();
        int to = from + field.bits();
        String message = layout.name() + layout.family() + " " + field;
        assertTrue(field.offset() + field.loadBytes() <= bytes, message);
        assertTrue(used.get(from, to).isEmpty(), message);
        used.set(from, to);
    }

    @Test
    void everyFieldButTheStructuralIsAColumn() {
        for (GpvLayout layout : GpvLayout.all()) {
            for (Field field : layout.fields()) {
                boolean column = PacketColumns.find(field.name()).isPresent();
                assertEquals(!field.name().startsWith("#"), column, field.name());
            }
        }
    }

    @Test
    void fullCarriesEveryColumnAndFlow32DoesNot() {
        for (PacketColumns.PacketColumn column : PacketColumns.all()) {
            assertTrue(PacketColumns.isCarriedBy(column.name(), GpvLayout.FULL_V4));
            assertTrue(PacketColumns.isCarriedBy(column.name(), GpvLayout.FULL_V6));
        }
        assertFalse(PacketColumns.isCarriedBy("tcp_flags", GpvLayout.FLOW32_V4));
        assertTrue(PacketColumns.isCarriedBy("tcp_seq", GpvLayout.FLOW64_V6));
    }
}
