package io.weir.bench.engine;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the machine's memory with so many threads: bytes read in order, and random lines with
 * independent reads. Both bound any engine on this machine.
 */
final class MemoryFigures {
    private static final int LINE_BYTES = 64;

    private final long bytes;

    /**
     * @param bytes a power of two, for each thread; well over the caches
     */
    MemoryFigures(long bytes) {
        this.bytes = bytes;
    }

    /** Returns GB/s of all threads. */
    double streamed(int threads) {
        return threads * (double) bytes / run(threads, this::stream);
    }

    /** Returns million lines per second of all threads. */
    double lines(int threads) {
        return threads * (double) (bytes / LINE_BYTES) / run(threads, this::random) * 1e3;
    }

    private interface Walk {
        long over(long address);
    }

    private long run(int threads, Walk walk) {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 4; round++) {
            List<Walker> walkers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                walkers.add(new Walker(walk));
            }
            best = Math.min(best, Team.run(walkers));
        }
        return best;
    }

    private long stream(long address) {
        long sum = 0;
        for (long at = address; at < address + bytes; at += 4 * Long.BYTES) {
            sum += Memory.getLong(at) + Memory.getLong(at + 8);
            sum += Memory.getLong(at + 16) + Memory.getLong(at + 24);
        }
        return sum;
    }

    private long random(long address) {
        long lines = bytes / LINE_BYTES;
        long sum = 0;
        long seed = 1;
        for (long n = 0; n < lines; n++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            sum += Memory.getLong(address + (seed >>> 20 & lines - 1) * LINE_BYTES);
        }
        return sum;
    }

    private final class Walker implements Team.Member {
        private final NativeAllocator memory = new NativeAllocator(bytes);
        private final Walk walk;
        private long address;

        /** Keeps the results of loads, so that HotSpot does not remove them as useless. */
        private long touched;

        Walker(Walk walk) {
            this.walk = walk;
        }

        @Override
        public void prepare() {
            address = memory.allocate(bytes, MemoryTag.TEST);
        }

        @Override
        public void work() {
            touched = walk.over(address);
        }

        @Override
        public void close() {
            if (touched != 0) {
                throw new IllegalStateException("the memory was zero");
            }
            memory.free(address, bytes, MemoryTag.TEST);
            memory.close();
        }
    }
}
