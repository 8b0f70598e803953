package io.weir.ingest.wire.dpdk;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Texts that C reads, each with a zero byte at its end, and room for the text of an error. */
final class NativeTexts implements AutoCloseable {
    private final NativeAllocator allocator;
    private final long address;
    private final long bytes;

    NativeTexts(NativeAllocator allocator, String text) {
        this(allocator, List.of(text));
    }

    /** Writes them one after another, and an empty one at the end. */
    NativeTexts(NativeAllocator allocator, List<String> texts) {
        this.allocator = allocator;
        byte[] all = (String.join("\0", texts) + "\0\0").getBytes(StandardCharsets.UTF_8);
        bytes = (long) DpdkLibrary.ERROR_BYTES + all.length;
        address = allocator.allocate(bytes, MemoryTag.SCRATCH);
        Memory.putByte(address, (byte) 0);
        for (int i = 0; i < all.length; i++) {
            Memory.putByte(first() + i, all[i]);
        }
    }

    /** Returns the address of the first text. */
    long first() {
        return address + DpdkLibrary.ERROR_BYTES;
    }

    /** Returns the address of the error's text. */
    long error() {
        return address;
    }

    /** Returns what C wrote. */
    String errorText() {
        int length = 0;
        while (length < DpdkLibrary.ERROR_BYTES - 1 && Memory.getByte(address + length) != 0) {
            length++;
        }
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = Memory.getByte(address + i);
        }
        return new String(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        allocator.free(address, bytes, MemoryTag.SCRATCH);
    }
}
