package io.weir.ingest.source;

import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.packets.BurstCursor;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** A receive queue that gives the packets of a capture in bursts of random size, or none. */
final class CapturedBursts extends BurstCursor {
    private static final int BUFFER_BYTES = 1 << 18;

    private final NativeAllocator allocator;
    private final long buffer;
    private final CaptureFile file;
    private final Random random;
    private final boolean live;
    private final long delayNs;
    private WeirException failure;
    private long[] losses = {0, 0};

    CapturedBursts(NativeAllocator allocator, Path capture, Random random, boolean live) {
        this(allocator, Captures.open(capture), random, live, 0);
    }

    /** Makes one that never has a packet. */
    CapturedBursts(NativeAllocator allocator, Duration delay) {
        this(allocator, null, new Random(1), true, delay.toNanos());
    }

    private CapturedBursts(
            NativeAllocator allocator,
            CaptureFile file,
            Random random,
            boolean live,
            long delayNs) {
        super(allocator, 1, List.of("first", "second"));
        this.allocator = allocator;
        this.file = file;
        this.random = random;
        this.live = live;
        this.delayNs = delayNs;
        buffer = allocator.allocate(BUFFER_BYTES, MemoryTag.TEST);
    }

    /** Fails at the capture's end. */
    void failure(WeirException why) {
        failure = why;
    }

    /** Loses packets in the middle. */
    void losses(long first, long second) {
        losses = new long[] {first, second};
    }

    @Override
    protected int receive(long frames) {
        if (file == null) {
            return 0;
        }
        int most = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(MOST + 1);
        int count = 0;
        long at = buffer;
        while (count < most && at + 4096 < buffer + BUFFER_BYTES && file.next()) {
            describe(frames + (long) count * FRAME_BYTES, at);
            at += file.capLen() + random.nextInt(5);
            count++;
        }
        if (file.packets() > 500) {
            lose(0, losses[0]);
            lose(1, losses[1]);
            losses = new long[] {0, 0};
        }
        if (file.hasEnded()) {
            finish();
        }
        return count;
    }

    private void finish() {
        if (failure != null) {
            fail(failure);
        } else {
            end();
        }
    }

    private void describe(long frame, long at) {
        Memory.copy(file.address(), at, file.capLen());
        Memory.putLong(frame, at);
        Memory.putInt(frame + 8, file.capLen());
        Memory.putInt(frame + 12, (int) file.wireLen());
        Memory.putLong(frame + 16, file.tsNs());
        Memory.putInt(frame + 24, file.interfaceIndex());
        Memory.putInt(frame + 28, file.direction());
    }

    @Override
    protected boolean poll(long timeoutNs) {
        Deadline deadline = Deadline.after(Duration.ofNanos(timeoutNs), Clock.SYSTEM);
        while (file == null && !deadline.isOver()) {
            LockSupport.parkNanos(deadline.leftNs());
        }
        return file != null;
    }

    @Override
    public boolean followsClock() {
        return live;
    }

    @Override
    public long delayNs() {
        return delayNs;
    }

    @Override
    protected void release() {
        allocator.free(buffer, BUFFER_BYTES, MemoryTag.TEST);
        if (file != null) {
            file.close();
        }
    }
}
