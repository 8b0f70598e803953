package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.OverflowPolicy;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rings of one reader, before, during and after an open source. */
final class ReaderRingsTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int GPV_PACKETS = 50;

    private final NativeAllocator allocator = new NativeAllocator(1 << 20);
    private final BlockRing ring = new BlockRing(allocator, 1 << 16);
    private final BlockWriter writer =
            new BlockWriter(
                    ring,
                    0,
                    4096,
                    () -> {
                        throw new IllegalStateException("it waits for room");
                    });
    private final SourceContext context =
            new SourceContext(
                    SourceConfig.DEFAULT, List.of(writer), allocator, new Account(), Outlet.UNHELD);
    private final ReaderRings rings = new ReaderRings(context);

    @AfterEach
    void close() {
        ring.close();
        allocator.close();
    }

    private void write() {
        long at = writer.claim(GpvLayout.FULL_V4, GPV_PACKETS);
        Memory.zero(at, GpvLayout.FULL_V4.gpvBytes(GPV_PACKETS));
        writer.flush(writer.promisedNs() + 1);
    }

    private void fill() {
        while (writer.droppedPackets() == 0) {
            write();
        }
    }

    /** The thread that keeps the time is not the source's, and must go on. */
    @Test
    void timeGoesOnBesideASourceThatIsBeingOpened() {
        fill();
        rings.follow(SECOND_NS);
        var unused = new GpvInlet(context);
        rings.follow(2 * SECOND_NS);
        assertEquals(2 * SECOND_NS, writer.promisedNs());
    }

    @Test
    void onlyAnOpenSourceWaitsForRoom() {
        rings.lend(OverflowPolicy.BLOCK);
        assertThrows(
                IllegalStateException.class,
                () -> {
                    while (true) {
                        write();
                    }
                });
        rings.takeBack(false);
        fill();
    }

    /** The engine frees its rings when the sources are closed. Their status may still be asked. */
    @Test
    void closedRingsAreNotRead() {
        fill();
        assertTrue(rings.fill() > 0.5);
        rings.close();
        assertEquals(0, rings.fill());
        rings.follow(SECOND_NS);
        assertTrue(writer.promisedNs() < SECOND_NS);
    }
}
