package io.weir.bench.flink;

import java.util.HashSet;
import java.util.Set;

/** What a job keeps of a group; changed in place. */
public final class Group {
    long a;
    long b;
    long c;
    Set<Long> distinct;

    void addDistinct(long value) {
        if (distinct == null) {
            distinct = new HashSet<>();
        }
        distinct.add(value);
    }

    /** Adds what another part of the group has; of distinct values, those of both. */
    Group plus(Group other) {
        a += other.a;
        b += other.b;
        c += other.c;
        if (other.distinct != null) {
            other.distinct.forEach(this::addDistinct);
        }
        return this;
    }
}
