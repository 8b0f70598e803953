package io.weir.ingest.capture;

import io.weir.operators.memory.NativeAllocator;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;

/** A window that is one buffer. It grows only for a longer record. One thread. */
abstract class BufferedBytes extends ByteWindow {
    /** The window's bytes; a longer record makes it larger. */
    static final int WINDOW_BYTES = 1 << 20;

    ByteBuffer window;

    BufferedBytes(int windowBytes) {
        window = allocate(windowBytes);
        base = BufferUtil.address(window);
    }

    private static ByteBuffer allocate(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        NativeAllocator.countFileBytes(bytes);
        return buffer;
    }

    private static void free(ByteBuffer buffer) {
        NativeAllocator.countFileBytes(-buffer.capacity());
        BufferUtil.free(buffer);
    }

    /** Moves the bytes from a position on to the front of the window. */
    final void keepFrom(long position, int lengthBytes) {
        ByteBuffer old = window;
        boolean isKept = position >= start && position < end;
        old.limit(isKept ? (int) (end - start) : 0).position(isKept ? (int) (position - start) : 0);
        long kept = old.remaining();
        if (lengthBytes > old.capacity()) {
            window = allocate(lengthBytes);
            window.put(old);
            free(old);
        } else {
            old.compact();
        }
        start = position;
        end = position + kept;
        base = BufferUtil.address(window) - position;
    }

    /** Frees the window. Idempotent. */
    final void freeWindow() {
        if (window != null) {
            free(window);
            window = null;
            start = 0;
            end = 0;
        }
    }
}
