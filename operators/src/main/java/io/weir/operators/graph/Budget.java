package io.weir.operators.graph;

import io.weir.operators.graph.Operator.FoldCall;
import java.util.Locale;
import java.util.Optional;

/**
 * WITH (memory = …, on_overflow = …): what a query's groups may take on the packet path, and what
 * becomes of it when they would take more.
 *
 * @param memoryBytes over all pipelines together
 * @param rank with {@link Overflow#TOPK}, and only then: the COUNT or SUM, without its name, by
 *     which groups are heavy or light
 */
public record Budget(long memoryBytes, Overflow overflow, Optional<FoldCall> rank) {
    /** So little would not hold the first tables of a query. */
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

    @Override
    public String toString() {
        String policy = overflow.name().toLowerCase(Locale.ROOT);
        return "memory of " + memoryBytes + " bytes, on overflow " + policy;
    }

    /** What happens to a group that there is no room for. */
    public enum Overflow {
        /** The query ends, with an error; others go on. */
        FAIL,
        /** New groups are left out, and their packets counted as lost. */
        EVICT,
        /** The lightest groups are left out, and what they may have had is told. */
        TOPK
    }
}
