package io.weir.operators.result;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;

/**
 * Merges the partials of one window, if two of them can have parts of a group. The results' thread.
 */
final class PartialsMerge {
    private final CompiledQuery code;
    private boolean merges;
    private final long maxBytes;
    private final NativeAllocator allocator;

    /**
     * @param merges whether two partials can have parts of a group
     * @param maxBytes the bound of one pipeline's part
     */
    PartialsMerge(CompiledQuery code, boolean merges, long maxBytes, NativeAllocator allocator) {
        this.code = code;
        this.merges = merges;
        this.maxBytes = maxBytes;
        this.allocator = allocator;
    }

    /** From now on any two partials can have parts of a group. */
    void mergeAll() {
        merges = true;
    }

    /** Returns partials that have each group in one of them. It takes the parts over. */
    List<Partial> whole(List<Partial> parts) {
        return merges && parts.size() > 1 ? List.of(merged(parts)) : parts;
    }

    private Partial merged(List<Partial> parts) {
        Partial merged = parts.get(0);
        long bytes = parts.stream().mapToLong(Partial::bytes).sum();
        if (code.query().budget().isPresent() || bytes > maxBytes / 2) {
            // The bound of a pipeline is for its own part. The parts of all pipelines must fit
            // together here.
            merged = code.newPartial(allocator, allocator.limitBytes());
            code.mergeInto(merged, parts.get(0));
        }
        for (Partial part : parts.subList(1, parts.size())) {
            merged = code.merge(merged, part);
        }
        return merged;
    }

    /** Nobody knows how many packets a lost group had. So rows cannot report the loss. */
    WeirException lacksGroups(long lost) {
        return new WeirException(
                ErrorCode.OUT_OF_NATIVE_MEMORY,
                "no native memory to put together " + lost + " of its groups",
                "let it have fewer groups, or raise the memory limit ("
                        + allocator.limitBytes()
                        + " bytes)");
    }
}
