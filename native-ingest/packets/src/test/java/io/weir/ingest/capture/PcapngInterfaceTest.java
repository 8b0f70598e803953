package io.weir.ingest.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PcapngInterfaceTest {
    private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);

    private static BigInteger exact(long units, int resolution, long offset) {
        BigInteger value = new BigInteger(Long.toUnsignedString(units)).multiply(NANOS);
        int power = resolution & 0x7F;
        BigInteger per = resolution >= 0x80 ? BigInteger.TWO.pow(power) : BigInteger.TEN.pow(power);
        return value.divide(per).add(BigInteger.valueOf(offset).multiply(NANOS));
    }

    @Test
    void timesEqualExactArithmeticWithinRangeAndStopAtItsEnds() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        BigInteger far = BigInteger.valueOf(CaptureFile.FARTHEST_SECONDS).multiply(NANOS);
        for (int i = 0; i < 20_000; i++) {
            int resolution = random.nextInt(256);
            long offset = random.nextBoolean() ? 0 : random.nextLong() >> random.nextInt(64);
            long units = random.nextLong() >>> random.nextInt(64);
            BigInteger exact = exact(units, resolution, offset);
            long timeNs = timeNs(units, resolution, offset);
            String at = "seed " + seed + ": " + units + " of " + resolution + " + " + offset;
            if (exact.abs().compareTo(far) < 0) {
                assertEquals(exact, BigInteger.valueOf(timeNs), at);
            } else {
                BigInteger distance = BigInteger.valueOf(timeNs).abs().subtract(far).abs();
                assertEquals(-1, distance.compareTo(NANOS), at + ": " + timeNs);
            }
        }
    }

    private static long timeNs(long units, int resolution, long offset) {
        CaptureBytes body = new CaptureBytes(ByteOrder.BIG_ENDIAN).shorts(1, 0).ints(0);
        body.shorts(14, 8).longs(offset).shorts(9, 1).raw(new byte[] {(byte) resolution, 0, 0, 0});
        byte[] bytes = body.array();
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long address = allocator.allocate(bytes.length, MemoryTag.TEST);
            for (int i = 0; i < bytes.length; i++) {
                Memory.putByte(address + i, bytes[i]);
            }
            PcapngInterface on = PcapngInterface.of(address, address + bytes.length, true);
            allocator.free(address, bytes.length, MemoryTag.TEST);
            return on.timeNs(units);
        }
    }
}
