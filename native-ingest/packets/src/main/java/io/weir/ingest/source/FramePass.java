package io.weir.ingest.source;

import io.weir.ingest.cache.GpvCache;
import io.weir.ingest.packets.LentFrames;
import io.weir.ingest.packets.PacketCursor;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * Lets C pass the frames of a file that are whole, in time, and of the usual kinds. Java passes all
 * others, and one before each call: it is always a packet ahead. One thread.
 */
final class FramePass implements AutoCloseable {
    private final PacketCursor file;
    private final GpvCache cache;
    private final SourceClock clock;
    private final CaptureStage stage;
    private final PacketGate gate;
    private final NativeAllocator allocator;
    private final long frames;

    FramePass(
            PacketCursor file,
            GpvCache cache,
            SourceClock clock,
            CaptureStage stage,
            long shiftNs,
            SourceContext context) {
        this.file = file;
        this.cache = cache;
        this.clock = clock;
        this.stage = stage;
        this.gate = context.gate();
        this.allocator = context.allocator();
        frames = allocator.allocate(LentFrames.BYTES, MemoryTag.CACHE);
        Memory.putLong(frames + LentFrames.SHIFT_NS, shiftNs);
        Memory.putLong(frames + LentFrames.BUCKET_NS, gate.bucketNs());
    }

    /**
     * Begins a pass, behind the file's current frame.
     *
     * @param stopNs packets from this time on stay
     * @param flushNs the pass ends when the newest time is here, if it has some packets
     * @return false if this file's frames are not for C
     */
    boolean begin(long stopNs, long flushNs) {
        Memory.putLong(frames + LentFrames.STOP_NS, stopNs);
        Memory.putLong(frames + LentFrames.FLUSH_NS, flushNs);
        Memory.putLong(frames + LentFrames.MOST, CaptureSource.MOST_PACKETS_A_FLUSH);
        Memory.putLong(frames + LentFrames.PASSED, 0);
        return file.lend(frames);
    }

    /**
     * Passes packets until a block is published, or the pass ends.
     *
     * @return whether it has ended; else the caller ends its step, and calls again
     */
    boolean goOn() {
        while (call()) {
            if (cache.makeRoom()) {
                return false;
            }
        }
        file.takeBack(frames);
        return true;
    }

    /**
     * Returns whether C needs room. Packets are counted before they can be in a published block.
     */
    private boolean call() {
        clock.lend(frames + LentFrames.CLOCK);
        boolean needsRoom = cache.pass(frames);
        clock.takeBack(frames + LentFrames.CLOCK);
        stage.frames(Memory.getLong(frames + LentFrames.WIRE_BYTES));
        long buckets = Memory.getLong(frames + LentFrames.BUCKETS);
        for (long i = 0; i < buckets; i++) {
            long bucket = frames + LentFrames.FIRST_BUCKET + i * LentFrames.BUCKET_BYTES;
            long packets = Memory.getLong(bucket + Long.BYTES);
            gate.take(Memory.getLong(bucket), packets);
            stage.pass(packets);
        }
        return needsRoom;
    }

    /** Returns the packets of this pass so far. */
    int passed() {
        return (int) Memory.getLong(frames + LentFrames.PASSED);
    }

    @Override
    public void close() {
        allocator.free(frames, LentFrames.BYTES, MemoryTag.CACHE);
    }
}
