package io.weir.ingest.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames that are cut at every byte, against {@link CutFrame}, which reads nothing. */
class CutFramesTest {
    private static final int FRAMES = 20_000;

    private final PacketHeaders headers = new PacketHeaders();
    private final Map<HeaderGap, Integer> met = new EnumMap<>(HeaderGap.class);

    @Test
    void everyFieldThatIsThereIsRead() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long address = allocator.allocate(4096, MemoryTag.TEST);
            compare(random, address, seed);
            allocator.free(address, 4096, MemoryTag.TEST);
        }
        assertEquals(HeaderGap.count(), met.size(), met.toString());
    }

    private void compare(Random random, long address, long seed) {
        for (int i = 0; i < FRAMES; i++) {
            CutFrame frame = new CutFrame(random);
            byte[] bytes = frame.array();
            for (int b = 0; b < bytes.length; b++) {
                Memory.putByte(address + b, bytes[b]);
            }
            for (int captured = 0; captured <= bytes.length; captured++) {
                String at = "seed " + seed + ", frame " + i + " cut at " + captured;
                check(frame, address, captured, at);
            }
        }
    }

    private void check(CutFrame frame, long address, int captured, String at) {
        int code = PacketDecoder.decode(address, captured, frame.wireLen, frame.linkType, headers);
        List<Integer> codes = frame.codes(captured);
        assertTrue(codes.contains(code), () -> at + ": " + code + " not of " + codes);
        if (code != PacketDecoder.IP_PACKET) {
            return;
        }
        HeaderGap gap = frame.gap(captured);
        met.merge(gap, 1, Integer::sum);
        assertEquals(gap, HeaderGap.of(headers.gap), at);
        frame.columns(captured)
                .forEach((column, value) -> assertEquals(value, column(column), at + " " + column));
    }

    private long column(String name) {
        try {
            Object value = PacketHeaders.class.getField(name).get(headers);
            return value instanceof Integer i ? Integer.toUnsignedLong(i) : (long) value;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
