package io.weir.bench.table;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures updates of existing entries, with random keys, in a table with so many slots and this
 * load. It also measures insertions up to that load, including clearing the table. An operation is
 * one update, or one insertion.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TableBenchmark {
    static final int UPDATES = 1 << 16;
    static final int INSERTIONS = 1 << 14;

    @Param({"linear", "cuckoo"})
    public String table;

    @Param({"50", "60", "70", "80", "90", "95"})
    public int loadPercent;

    @Param({"15", "20"})
    public int slotsLog2;

    private final NativeAllocator allocator = new NativeAllocator(1L << 30);
    private Table filled;
    private int groups;
    private int[] order;
    private int from;
    private Table growing;
    private int inserted;
    private long updates;

    @Setup(Level.Trial)
    public void fill() {
        groups = (int) ((1L << slotsLog2) * loadPercent / 100);
        filled = Table.of(table, allocator, slotsLog2);
        insertAll(filled);
        SplittableRandom random = new SplittableRandom(1);
        order = new int[16 * UPDATES];
        for (int i = 0; i < order.length; i++) {
            order[i] = 1 + random.nextInt(groups);
        }
    }

    private void insertAll(Table into) {
        for (int group = 1; group <= groups; group++) {
            if (into.find(key(group)) == 0) {
                throw new IllegalStateException(table + " is full at " + into.size());
            }
        }
    }

    /** Different for different groups, and never 0. */
    private static long key(int group) {
        return group * 0x9E37_79B9L & 0xFFFF_FFFFL | 1L << 32;
    }

    @Benchmark
    @OperationsPerInvocation(UPDATES)
    public void update() {
        Table to = filled;
        for (int i = from; i < from + UPDATES; i++) {
            long value = to.find(key(order[i]));
            Memory.putLong(value, Memory.getLong(value) + 1);
            Memory.putLong(value + 8, Memory.getLong(value + 8) + order[i]);
        }
        from = (from + UPDATES) % order.length;
        updates += UPDATES;
    }

    /** Inserts a part into a table, which is emptied when it has the wanted load. */
    @Benchmark
    @OperationsPerInvocation(INSERTIONS)
    public void insert() {
        for (int i = 0; i < INSERTIONS; i++) {
            if (growing == null || inserted == groups) {
                restart();
            }
            if (growing.find(key(++inserted)) == 0) {
                throw new IllegalStateException(table + " is full at " + growing.size());
            }
        }
    }

    private void restart() {
        if (growing != null) {
            growing.close();
        }
        growing = Table.of(table, allocator, slotsLog2);
        inserted = 0;
    }

    /** Every update is in its group's entry, and no group was made or lost. */
    @TearDown(Level.Trial)
    public void check() {
        long counted = 0;
        for (int group = 1; group <= groups; group++) {
            long value = filled.find(key(group));
            long count = Memory.getLong(value);
            if (Memory.getLong(value + 8) != count * group) {
                throw new IllegalStateException("group " + group + " has another's packets");
            }
            counted += count;
        }
        if (counted != updates || filled.size() != groups) {
            throw new IllegalStateException(counted + " of " + updates + " updates");
        }
        filled.close();
        if (growing != null) {
            growing.close();
        }
        allocator.close();
    }
}
