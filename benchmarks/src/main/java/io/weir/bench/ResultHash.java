package io.weir.bench;

import io.weir.operators.graph.Inet;
import io.weir.operators.rows.RowBatch;

/**
 * A hash of a result, independent of the order of its rows. The native baseline computes the same.
 * A row is its columns one after the other, an address three words. So a wrong answer cannot be
 * fast. One thread.
 */
public final class ResultHash {
    private static final long SEED = 0x5765_6972;
    private static final long NULL = 0x4e55_4c4c_4e55_4c4cL;

    private long row = SEED;
    private long sum;
    private long rows;

    /** The row's next column. */
    public ResultHash word(long word) {
        row = mix(row ^ word);
        return this;
    }

    /** The row's next column. */
    public ResultHash address(Inet inet) {
        return address(inet.family(), inet.high(), inet.low());
    }

    /** The row's next column; words as in {@link Inet}. */
    public ResultHash address(int family, long high, long low) {
        return word(family).word(high).word(low);
    }

    /** The row is complete. */
    public void end() {
        sum += row;
        row = SEED;
        rows++;
    }

    /** All rows of a batch. */
    public void add(RowBatch batch) {
        int columns = batch.layout().columns().size();
        for (int r = 0; r < batch.rows(); r++) {
            for (int c = 0; c < columns; c++) {
                column(batch, r, c);
            }
            end();
        }
    }

    private void column(RowBatch batch, int r, int c) {
        if (batch.isNull(r, c)) {
            word(NULL);
            return;
        }
        switch (batch.layout().kind(c)) {
            case INET -> address((Inet) batch.value(r, c));
            case VARCHAR -> word(batch.value(r, c).hashCode());
            default -> word(batch.word(r, c));
        }
    }

    public long value() {
        return sum;
    }

    /** Rows added. */
    public long rows() {
        return rows;
    }

    /** Returns the result as one value. */
    public Answer answer() {
        return new Answer(rows, sum);
    }

    /** A result: the number of rows, and their hash. */
    public record Answer(long rows, long hash) {
        @Override
        public String toString() {
            return String.format("%d %016x", rows, hash);
        }

        /** The reverse of {@link #toString}. */
        public static Answer parse(String text) {
            String[] parts = text.split(" ");
            return new Answer(Long.parseLong(parts[0]), Long.parseUnsignedLong(parts[1], 16));
        }
    }

    /** MurmurHash3's finalizer. */
    private static long mix(long word) {
        long z = word;
        z = (z ^ z >>> 33) * 0xff51afd7ed558ccdL;
        z = (z ^ z >>> 33) * 0xc4ceb9fe1a85ec53L;
        return z ^ z >>> 33;
    }
}
