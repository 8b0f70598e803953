package io.weir.operators.graph;

import io.weir.operators.graph.Operator.FoldCall;
import java.util.Locale;
import java.util.Optional;

/**
 * WITH (memory = …, on_overflow = …): the memory of a query, and the rule beyond it. Its groups
 * have it, the waiting rows of a join have it, and so do the earlier rows of OVER.
 *
 * @param memoryBytes over all pipelines together
 * @param rank with {@link Overflow#TOPK}, and only then: the COUNT or SUM, without its name, by
 *     which groups are heavy or light
 */
public record Budget(long memoryBytes, Overflow overflow, Optional<FoldCall> rank) {
    /** A smaller budget would not hold the first tables of a query. */
    public static final long LEAST_BYTES = 1 << 16;

    public Budget {
        if (memoryBytes < LEAST_BYTES) {
            throw new IllegalArgumentException("a budget of " + memoryBytes + " bytes");
        }
        if (rank.isPresent() != (overflow == Overflow.TOPK)) {
            throw new IllegalArgumentException(overflow + " by " + rank);
        }
    }

    public Budget(long memoryBytes, Overflow overflow) {
        this(memoryBytes, overflow, Optional.empty());
    }

    /** Returns whether the query ends beyond it. */
    public boolean fails() {
        return overflow == Overflow.FAIL;
    }

    @Override
    public String toString() {
        String policy = overflow.name().toLowerCase(Locale.ROOT);
        return "memory of " + memoryBytes + " bytes, on overflow " + policy;
    }

    /** The rule for a group without room. */
    public enum Overflow {
        /** The query ends, with an error; others go on. */
        FAIL,
        /** New groups are left out, and their packets counted as lost. */
        EVICT,
        /** The lightest groups are left out, and the most that they may have had is reported. */
        TOPK
    }
}
