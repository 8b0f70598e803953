package io.weir.operators.pipeline;

import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;

/** A pipeline with blocks in its ring, and its observers. */
final class Blocks {
    private final NativeAllocator allocator = new NativeAllocator(1 << 16);
    private final BlockRing ring = new BlockRing(allocator, 4096);
    final BlockWriter writer = new BlockWriter(ring, 0, 512, () -> {});
    final Pipeline pipeline = new Pipeline(ring, new Account());

    /** The last watermark that was handed on; a plain field. */
    int handedOn;

    /** Makes so many blocks; the watermark of block i, from 1 on, is i. */
    Blocks(int blocks) {
        pipeline.attach(new Handed());
        for (int i = 1; i <= blocks; i++) {
            writer.flush(i);
        }
    }

    void close() {
        ring.close();
        allocator.close();
    }

    private final class Handed implements QueryAttachment {
        @Override
        public void segment(
                int id, int flags, int node, long address, int gpvs, int packets, long cameNs) {}

        @Override
        public void advance(long watermarkNs, long lostPackets) {
            handedOn = (int) watermarkNs;
        }

        @Override
        public void finish() {}
    }

    /** It has plain fields only: the pipeline's hand-over must make them safe. */
    static final class Plain implements QueryAttachment {
        private int tag;
        int blocks;
        int finished;
        boolean sound = true;

        Plain(int tag) {
            this.tag = tag;
        }

        @Override
        public void segment(
                int id, int flags, int node, long address, int gpvs, int packets, long cameNs) {}

        @Override
        public void advance(long watermarkNs, long lostPackets) {
            blocks++;
            sound &= tag == 7 && finished == 0;
        }

        @Override
        public void finish() {
            finished++;
        }
    }
}
