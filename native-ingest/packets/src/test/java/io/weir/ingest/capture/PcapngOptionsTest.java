package io.weir.ingest.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of packets: those that were lost before they came into the capture, and directions. */
class PcapngOptionsTest {
    private static final byte[] PACKET = new byte[47];

    @TempDir Path folder;

    private long lost(CaptureBytes bytes) {
        try (CaptureFile file = Captures.open(bytes.in(folder, "losses"))) {
            while (file.next()) {}
            assertEquals(0, file.notes().size(), file.notes().toString());
            return file.lost();
        }
    }

    private static CaptureBytes twoInterfaces(ByteOrder order) {
        CaptureBytes bytes = new CaptureBytes(order).section();
        return bytes.networkInterface(1, 9, 0).networkInterface(1, 9, 0);
    }

    @Test
    void theFlagsOfAPacketTellItsDirection() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            CaptureBytes bytes = twoInterfaces(order);
            for (int flags = 0; flags < 4; flags++) {
                bytes.enhancedWithFlags(0, flags, PACKET, 0x1E0 | flags);
            }
            bytes.enhanced(0, 4, PACKET, 47);
            List<Integer> directions = new ArrayList<>();
            try (CaptureFile file = Captures.open(bytes.in(folder, "directions"))) {
                while (file.next()) {
                    directions.add(file.direction());
                }
            }
            assertEquals(List.of(0, 1, 2, 0, 0), directions, order.toString());
        }
    }

    @Test
    void statisticsOfAllInterfacesAreAddedUp() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            CaptureBytes bytes = twoInterfaces(order).enhanced(0, 1, PACKET, 47);
            bytes.enhancedAfterDrops(0, 2, PACKET, 7).statistics(0, 105, 100, 0);
            bytes.statistics(1, 28, 20, 3).enhanced(0, 3, PACKET, 47);
            assertEquals(123, lost(bytes), order.toString());
        }
    }

    @Test
    void statisticsAreTotalsOfTheirSection() {
        CaptureBytes bytes = twoInterfaces(ByteOrder.LITTLE_ENDIAN);
        bytes.statistics(0, 1, 10, 0).statistics(0, 1, 25, 1).statistics(0, 1, 24, 0);
        bytes.section().networkInterface(1, 9, 0).statistics(0, 1, 4, 0);
        assertEquals(30, lost(bytes));
    }

    @Test
    void packetsTellOfThemWhereStatisticsDoNot() {
        CaptureBytes bytes = twoInterfaces(ByteOrder.LITTLE_ENDIAN);
        bytes.enhancedAfterDrops(0, 1, PACKET, 5).enhancedAfterDrops(1, 2, PACKET, 2);
        bytes.enhancedAfterDrops(0, 3, PACKET, 1).statistics(0, 9, 3, 0);
        bytes.obsolete(1, 4, PACKET, 6).obsolete(1, 5, PACKET, 0xFFFF);
        assertEquals(14, lost(bytes));
    }

    @Test
    void impossibleStatisticsAreToldAndNotCounted() {
        CaptureBytes bytes = twoInterfaces(ByteOrder.LITTLE_ENDIAN);
        bytes.statistics(2, 0, 5, 0).statistics(0, 0, -1, 0).statistics(0, 0, 1L << 41, 0);
        bytes.enhancedAfterDrops(0, 1, PACKET, -3).enhanced(0, 2, PACKET, 47);
        try (CaptureFile file = Captures.open(bytes.in(folder, "impossible"))) {
            assertTrue(file.next());
            assertTrue(file.next());
            assertEquals(0, file.lost());
            assertTrue(file.notes().get(0).contains("4 statistics of lost packets are impossible"));
        }
    }

    /** Wherever it ends, and whatever bytes are wrong: it is read to its end, without a crash. */
    @Test
    void cutAndDamagedStatisticsEndNothing() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        CaptureBytes bytes = twoInterfaces(ByteOrder.LITTLE_ENDIAN).enhanced(0, 1, PACKET, 47);
        byte[] whole = bytes.statistics(0, 105, 100, 0).statistics(1, 28, 20, 3).array();
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = Arrays.copyOf(whole, random.nextInt(whole.length + 1));
            for (int b = random.nextInt(3); b > 0 && damaged.length > 200; b--) {
                damaged[200 + random.nextInt(damaged.length - 200)] = (byte) random.nextInt();
            }
            if (damaged.length >= 28) {
                CaptureBytes file = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).raw(damaged);
                try (CaptureFile capture = Captures.open(file.in(folder, "damaged"))) {
                    while (capture.next()) {}
                    assertTrue(capture.lost() >= 0, "seed " + seed);
                    assertTrue(capture.ending() != Ending.NONE, "seed " + seed);
                }
            }
        }
    }
}
