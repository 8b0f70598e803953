package io.weir.bench.flink;

import java.util.HashSet;
import java.util.Set;

/** The state that a job keeps for a group; changed in place. */
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

    /** Adds the other part of the group; distinct values are united. */
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
