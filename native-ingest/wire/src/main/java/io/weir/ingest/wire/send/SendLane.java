package io.weir.ingest.wire.send;

import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.map.Hash;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.time.Stopwatch;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One receive queue's ring, and its way to the receivers: each flow goes to one of them. The
 * source's thread writes to the ring; the sender's thread reads. No allocation per block.
 */
final class SendLane implements AutoCloseable {
    private static final int RING_BYTES = 1 << 22;
    private static final long WAIT_NS = 100_000;
    private static final long LONGEST_WAIT_NS = 10_000_000;
    private static final int ADDRESS_WORDS_V6 = 4;

    private final BlockRing ring;
    private final BlockWriter writer;
    private final List<BlockEncoder> encoders;
    private final SendPace pace;
    private final Stopwatch clock;
    private final Stage page;
    private final Counter stopped;
    private final Counter tooLong;
    private final Counter before1970;
    private final BlockCursor block = new BlockCursor(true);
    private final List<GpvCursor> gpvs = GpvLayout.all().stream().map(GpvCursor::new).toList();
    private long newestNs;
    private volatile boolean abandoned;

    /**
     * @param page counts packets
     * @param clock runs since the start
     */
    SendLane(
            NativeAllocator allocator,
            List<BlockEncoder> encoders,
            SendPace pace,
            Stopwatch clock,
            Stage page) {
        this.encoders = encoders;
        this.pace = pace;
        this.clock = clock;
        this.page = page;
        stopped = page.excluded("stopped");
        tooLong = page.lost("too_long");
        before1970 = page.lost("before_1970");
        ring = new BlockRing(allocator, RING_BYTES);
        writer = new BlockWriter(ring, 0, BlockWriter.DEFAULT_BLOCK_BYTES, this::awaitRoom);
    }

    private void awaitRoom() {
        if (abandoned) {
            throw new IllegalStateException("nobody reads the ring any more");
        }
        LockSupport.parkNanos(WAIT_NS);
    }

    /** Nobody reads any more: a source that waits for room fails. */
    void abandon() {
        abandoned = true;
    }

    BlockWriter writer() {
        return writer;
    }

    /** Sends what one block of the ring has. Returns whether there was one. */
    boolean read() {
        return ring.read(this::block, 1) > 0;
    }

    private void block(long at, int length) {
        BlockFault fault = block.wrap(at, length);
        if (fault != BlockFault.NONE) {
            throw new IllegalStateException("a block of this process: " + fault);
        }
        page.offered().add(block.packets());
        if (block.lost() > 0) {
            encoders.get(0).lost(block.lost());
        }
        boolean late = segments(false);
        long watermarkNs = block.isEnd() ? newestNs + 1 : block.watermarkNs();
        encoders.forEach(encoder -> encoder.passTo(watermarkNs));
        if (late) {
            // Behind the watermark the receiver sees that they are late.
            block.wrap(at, length);
            segments(true);
            encoders.forEach(BlockEncoder::send);
        }
    }

    /**
     * Sends the segments that windows take, or those that they leave out.
     *
     * @return whether there are others
     */
    private boolean segments(boolean late) {
        boolean others = false;
        while (block.nextSegment()) {
            if (block.segmentFlags() != 0 == late) {
                segment(late);
            } else {
                others = true;
            }
        }
        return others;
    }

    private void segment(boolean late) {
        GpvCursor gpv = gpvs.get(block.layoutId());
        long next = block.gpvsAddress();
        for (int i = 0; i < block.gpvs(); i++) {
            gpv.wrap(next);
            int count = gpv.count();
            int bytes = gpv.layout().gpvBytes(count);
            long lastNs = gpv.tsNs(count - 1);
            if (!late) {
                newestNs = Math.max(newestNs, lastNs);
                await(count, lastNs);
            }
            gpv(gpv, next, bytes, count);
            next += bytes;
        }
    }

    private void gpv(GpvCursor gpv, long at, int bytes, int count) {
        if (pace.isReleased()) {
            stopped.add(count);
        } else if (!BlockEncoder.fits(bytes)) {
            tooLong.add(count);
        } else if (gpv.startNs() < 0) {
            before1970.add(count);
        } else {
            pace.take(count);
            encoder(at, gpv.layout()).add(gpv.layout().id(), at, bytes, count);
        }
    }

    /** The hash of addresses, ports and protocol. All layouts begin with them. */
    private BlockEncoder encoder(long at, GpvLayout layout) {
        if (encoders.size() == 1) {
            return encoders.get(0);
        }
        int words = layout.family() == 4 ? 1 : ADDRESS_WORDS_V6;
        long ports = at + (long) words * Long.BYTES;
        long rest = (long) Memory.getInt(ports) << Byte.SIZE | Memory.getByte(ports + 4) & 0xFF;
        long hash = Hash.mix(Hash.of(at, words), rest);
        return encoders.get(Hash.bucket(hash, encoders.size()));
    }

    /** Waits until packets may go. Open blocks go before. */
    private void await(int count, long tsNs) {
        long waitNs = pace.waitNs(count, tsNs, clock.ns());
        if (waitNs <= WAIT_NS) {
            return;
        }
        encoders.forEach(BlockEncoder::send);
        long untilNs = clock.ns() + waitNs;
        while (waitNs > 0 && !pace.isOver(clock.ns())) {
            LockSupport.parkNanos(Math.min(waitNs, LONGEST_WAIT_NS));
            waitNs = untilNs - clock.ns();
        }
    }

    @Override
    public void close() {
        ring.close();
    }
}
